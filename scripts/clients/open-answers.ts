import type { Json } from './json.ts';

type Schemas = Readonly<Record<string, Json>>;

/**
 * Returns the schemas of a document, with every schema of an answer or event open to unknown fields and values, so that
 * clients accept those of later versions. Go clients refuse unknown fields of a closed object, also of one that is both
 * sent and read, such as an address. Python clients refuse any other value than a `const`. Schemas that are only sent
 * stay closed.
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

/** References in responses and webhooks, at any depth. */
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

/** Whether a keyword refuses unknown fields or texts. A field named `const` holds a schema, and stays. */
function closes(keyword: string, value: unknown): boolean {
  return keyword === 'additionalProperties'
    ? value === false
    : keyword === 'const' && typeof value === 'string';
}
