import { wireName } from './http/wire-paths.ts';

/**
 * Translates field names between the contract and the domain: `postal_code` and `postalCode`, `line_1` and `line1`. One
 * rule applies in both directions and at every depth, and the types check it. `metadata` belongs to the caller and is
 * not changed.
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

/** Translates field names to those of the domain. For validated input only, because unknown names can collide. */
export function domainWords<Wire>(wire: Wire): DomainWords<Wire> {
  return renamed(wire, domainWord) as never;
}

/** Translates field names to those of the contract. */
export function wireWords<Domain>(domain: Domain): WireWords<Domain> {
  return renamed(domain, wireWord) as never;
}

const domainWord = cached((name) => name.replace(/_([a-z0-9])/g, (_, first: string) => first.toUpperCase()));
const wireWord = cached(wireName);

/** Caches a function of names. The contract has few names. */
function cached(rename: (name: string) => string): (name: string) => string {
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
