/** The longest part of a name that an answer repeats (contract row 13.2). */
const MAX_NAME_CHARACTERS = 64;
/** Paths of the contract are far shorter. A path of unknown names could be longer than the request. */
const MAX_PATH_CHARACTERS = 256;
const HIDDEN = '[hidden]';
/** Twelve digits of any script with at most three other characters between two digits, as card numbers are written. */
const CARD_NUMBER = /\p{N}(?:[^\p{L}\p{N}]{0,3}\p{N}){11}/u;
/** Longer than what is shown, so that a card number that starts before the cut and ends after it is found too. */
const CHECKED_CHARACTERS = MAX_NAME_CHARACTERS + 48;

/** A field's name as an answer may repeat it: cut to 64 characters, and `[hidden]` if it looks like a card number. */
export function shownFieldName(name: string): string {
  if (CARD_NUMBER.test(name.slice(0, CHECKED_CHARACTERS))) return HIDDEN;
  return cut(name, MAX_NAME_CHARACTERS).replaceAll('\0', '\uFFFD').toWellFormed();
}

/** The dotted path of a field, each name as it may be shown. */
export function shownFieldPath(names: readonly string[]): string {
  return cut(names.map(shownFieldName).join('.'), MAX_PATH_CHARACTERS);
}

/** At most `max` UTF-16 units, without half of a surrogate pair at the end. */
function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const isPairSplit = /[\uD800-\uDBFF]/.test(text.charAt(max - 1));
  return text.slice(0, isPairSplit ? max - 1 : max);
}
