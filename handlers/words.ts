import { wireName } from './http/wire-paths.ts';

/**
 * Translates between field names of the contract and of the domain: `postal_code` and `postalCode`, `line_1` and `line1`.
 * One rule for both directions and every depth, checked by the types; `metadata` belongs to the caller and stays as it is.
 */
type Camel<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name;

type Digit = '0' | '1' | '2' | '3' | '4' | '5' | '6' | '7' | '8' | '9';
type Snake<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? First extends Digit
    ? `_${First}${Snake<Rest>}`
    : First extends Lowercase<First>
      ? `${First}${Snake<Rest>}`
      : `_${Lowercase<First>}${Snake<Rest>}`
  : Name;

export type DomainWords<Wire> = Wire extends readonly (infer Item)[]
  ? DomainWords<Item>[]
  : Wire extends object
    ? {
        [Key in keyof Wire as Camel<Key & string>]: Key extends 'metadata'
          ? Wire[Key]
          : DomainWords<Wire[Key]>;
      }
    : Wire;

export type WireWords<Domain> = Domain extends readonly (infer Item)[]
  ? WireWords<Item>[]
  : Domain extends object
    ? {
        -readonly [Key in keyof Domain as Snake<Key & string>]: Key extends 'metadata'
          ? Domain[Key]
          : WireWords<Domain[Key]>;
      }
    : Domain;

/** Field names as the domain has them. For validated input only: names outside the contract can collide. */
export function domainWords<Wire>(wire: Wire): DomainWords<Wire> {
  return renamed(wire, domainWord) as never;
}

/** Field names as the wire has them. */
export function wireWords<Domain>(domain: Domain): WireWords<Domain> {
  return renamed(domain, wireWord) as never;
}

const domainWord = remembered((name) =>
  name.replace(/_([a-z0-9])/g, (_, first: string) => first.toUpperCase()),
);
const wireWord = remembered(wireName);

/** The names of the contract are few, and the same in every request. */
function remembered(rename: (name: string) => string): (name: string) => string {
  const known = new Map<string, string>();
  return (name) => {
    let renamedName = known.get(name);
    if (renamedName === undefined) {
      renamedName = rename(name);
      known.set(name, renamedName);
    }
    return renamedName;
  };
}

function renamed(value: unknown, rename: (name: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => renamed(item, rename));
  if (typeof value !== 'object' || value === null) return value;
  const result: Record<string, unknown> = {};
  for (const name of Object.keys(value)) {
    const field = (value as Record<string, unknown>)[name];
    result[rename(name)] = name === 'metadata' ? field : renamed(field, rename);
  }
  return result;
}
