/** The longest e-mail address that is stored. */
const EMAIL_MAX_CHARACTERS = 191;

const LOCAL_MAX_CHARACTERS = 64;
/** The characters of an RFC 5322 atom: the text between two dots left of the `@`. */
const ATOM = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+$/;
/** A host name's label, RFC 1123: letters, digits and inner hyphens. */
const LABEL = /^[A-Za-z0-9-]{1,63}$/;

/**
 * Whether a text is an e-mail address in the usual form: `local@domain.tld` in ASCII, at most 191 characters; no
 * quotes, comments or IP addresses. Checks the length first, and no pattern nests repetitions, so hostile text is
 * refused quickly.
 */
export function isEmail(text: string): boolean {
  if (text.length > EMAIL_MAX_CHARACTERS) return false;
  const at = text.indexOf('@');
  const local = text.slice(0, Math.max(at, 0));
  const labels = text.slice(at + 1).split('.');
  if (local.length > LOCAL_MAX_CHARACTERS || !local.split('.').every((atom) => ATOM.test(atom))) return false;
  return labels.length >= 2 && labels.every(isLabel) && !/^[0-9]+$/.test(labels.at(-1)!);
}

/** The form in which addresses are compared: without case. Nothing is trimmed. */
export function normalizeEmail(text: string): string {
  return text.toLowerCase();
}

function isLabel(text: string): boolean {
  return LABEL.test(text) && !text.startsWith('-') && !text.endsWith('-');
}
