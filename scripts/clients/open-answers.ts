import type { Json } from './client-copy.ts';

type Schemas = Readonly<Record<string, Json>>;

/**
 * The schemas of a document with those open that an answer or an event holds: a client reads fields and values there
 * that it does not know yet. Go refuses the fields in an object that allows no others, as an address is that orders are
 * sent with too; Python refuses another value where the contract has only one. What is sent alone stays closed.
 */
export function openAnswers(document: Json): Record<string, Json> {
  const { schemas = {} } = (document.components ?? {}) as { schemas?: Schemas };
  const read = readByClients(document);
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [
      name,
      read.has(`#/components/schemas/${name}`) ? (opened(schema) as Json) : schema,
    ]),
  );
}

/** References to all that stands in responses and webhooks, at whatever depth. */
function readByClients(document: Json): ReadonlySet<string> {
  const found = new Set<string>();
  const follow = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    for (const [key, value] of Object.entries(node)) {
      if (key !== '$ref' || typeof value !== 'string') follow(value);
      else if (!found.has(value)) {
        found.add(value);
        follow(partAt(document, value));
      }
    }
  };
  const operations = Object.values((document.paths ?? {}) as Json).flatMap((path) =>
    Object.values(path as Json),
  );
  for (const operation of operations) follow((operation as Json).responses);
  follow(document.webhooks);
  return found;
}

function partAt(document: Json, reference: string): unknown {
  const path = reference.replace('#/', '').split('/');
  return path.reduce<unknown>((part, name) => (part as Json | undefined)?.[name], document);
}

function opened(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(opened);
  if (typeof node !== 'object' || node === null) return node;
  const kept = Object.entries(node).filter(([key, value]) => !closes(key, value));
  return Object.fromEntries(kept.map(([key, value]) => [key, opened(value)]));
}

/** No other fields, or no other text. A field that is called `const` holds a schema, and stays. */
function closes(keyword: string, value: unknown): boolean {
  return keyword === 'additionalProperties'
    ? value === false
    : keyword === 'const' && typeof value === 'string';
}
