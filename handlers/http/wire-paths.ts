/**
 * Path of a field in a use case's input → its path in the request, where the fields below it are too. `*` is the index
 * of a list. The path is empty for an object whose fields are in the request itself. List only paths that differ in
 * more than the spelling: `amount_centavos` becomes `payment.amount`, but `createdFrom` becomes `created_from` by rule.
 */
export type FieldNames = Readonly<Record<string, string>>;

const INDEX = /(?<=^|\.)[0-9]+(?=\.|$)/g;

/** The path in the request of a field that a use case refuses. */
export function wirePath(path: string, names: FieldNames = {}): string {
  const indexes = path.match(INDEX) ?? [];
  const pattern = path.replaceAll(INDEX, '*');
  let next = 0;
  return wirePattern(pattern, names).replaceAll('*', () => indexes[next++] ?? '*');
}

function wirePattern(pattern: string, names: FieldNames): string {
  const named = names[pattern];
  if (named !== undefined) return named;
  const dot = pattern.lastIndexOf('.');
  const name = wireName(pattern.slice(dot + 1));
  const parent = dot === -1 ? '' : wirePattern(pattern.slice(0, dot), names);
  return parent === '' ? name : `${parent}.${name}`;
}

/** A field name as the contract spells it: `postal_code` for `postalCode`, `line_1` for `line1`. */
export function wireName(name: string): string {
  return name.replace(/[A-Z0-9]/g, (first) => `_${first.toLowerCase()}`);
}
