/**
 * Path of a field in a use case's input → its path in the request. `*` is the index of a list. List only paths that
 * differ in more than the spelling: `amount_centavos` becomes `payment.amount`, but `createdFrom` becomes
 * `created_from` by rule.
 */
export type FieldNames = Readonly<Record<string, string>>;

const INDEX = /(?<=^|\.)[0-9]+(?=\.|$)/g;

/** The path in the request of a field that a use case refuses. */
export function wirePath(path: string, names: FieldNames = {}): string {
  const indexes = path.match(INDEX) ?? [];
  const pattern = path.replaceAll(INDEX, '*');
  const wirePattern = names[pattern] ?? pattern.split('.').map(wireName).join('.');
  let next = 0;
  return wirePattern.replaceAll('*', () => indexes[next++] ?? '*');
}

/** A field name as the contract spells it: `postal_code` for `postalCode`, `line_1` for `line1`. */
export function wireName(name: string): string {
  return name.replace(/[A-Z0-9]/g, (first) => `_${first.toLowerCase()}`);
}
