/**
 * Words of the domain as a list of SQL literals: `status in (${textList(OPEN)})`. Partial indexes match literals, and
 * not parameters. Not for values that come from outside.
 */
export function textList(words: readonly string[]): string {
  const strange = words.find((word) => !/^\w+$/.test(word));
  if (strange !== undefined || words.length === 0) throw new Error(`Not a word of the domain: ${strange}.`);
  return words.map((word) => `'${word}'`).join(', ');
}
