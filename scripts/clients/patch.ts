/**
 * A correction of generated code for which the generator has no option: in files whose names end with `files`, `wrong`
 * becomes `right`.
 */
export interface Patch {
  readonly files: string;
  readonly wrong: RegExp;
  readonly right: string | ((...match: string[]) => string);
}

/** Patches a text. Returns the same text when nothing matches. */
export function patchedText(text: string, { wrong, right }: Patch): string {
  return typeof right === 'string' ? text.replace(wrong, right) : text.replace(wrong, right);
}
