import { plainText } from './html-sections.ts';
import { toHtml } from './markdown.ts';
import type { SearchEntry } from './search-ranking.ts';

type Json = Record<string, unknown>;

interface Operation {
  readonly operationId?: string;
  readonly tags?: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly requestBody?: unknown;
  readonly responses: Readonly<Record<string, unknown>>;
}

interface Contract {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: Operation }>>;
}

const PAYMENT = '#/components/schemas/Payment';

/** The search entries of the operations and events of a contract. */
export function operationEntries(contract: string): SearchEntry[] {
  const document = JSON.parse(contract) as Contract;
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => operationEntry(document, path, method, operation)),
  );
  const events = Object.entries(document.webhooks).map(([name, { post }]) => eventEntry(name, post));
  return [...operations, ...events];
}

function operationEntry(document: Contract, path: string, method: string, operation: Operation): SearchEntry {
  const { operationId, tags = [], summary, description } = operation;
  const verb = method.toUpperCase();
  const success = Object.entries(operation.responses).filter(([status]) => status.startsWith('2'));
  // The answers of subscriptions contain payments, whose fields belong to the operations of payments.
  const elsewhere = tags.includes('subscriptions') ? [referred(PAYMENT, document)] : [];
  const fields = [operation.requestBody, ...success.map(([, answer]) => answer)].flatMap((part) => [
    ...fieldsOf(part, document, new Set(elsewhere)),
  ]);
  return {
    kind: 'operation',
    title: summary,
    where: `${verb} ${path}`,
    href: `/docs/reference#tag/${tags[0]}/${verb}${path}`,
    text: plainText(toHtml(description)),
    words: [...new Set([operationId, ...tags, ...fields])].join(' '),
  };
}

/** An event, under the anchor that the renderer of the reference gives it. */
function eventEntry(name: string, { summary, description }: Operation): SearchEntry {
  return {
    kind: 'event',
    title: summary,
    where: `Event ${name}`,
    href: `/docs/reference#webhook/POST/${name.replaceAll('.', '')}`,
    text: plainText(toHtml(description)),
    words: name,
  };
}

/** The names of all fields in a part of the contract, including those of the schemas that it refers to. */
function fieldsOf(part: unknown, document: Contract, seen = new Set<unknown>()): Set<string> {
  const names = new Set<string>();
  if (typeof part !== 'object' || part === null || seen.has(part)) return names;
  seen.add(part);
  const add = (others: Iterable<string>) => {
    for (const name of others) names.add(name);
  };
  for (const [key, value] of Object.entries(part as Json)) {
    if (key === 'examples' || key === 'example') continue;
    if (key === '$ref') add(fieldsOf(referred(String(value), document), document, seen));
    else if (key === 'properties') add(Object.keys(value as Json));
    add(fieldsOf(value, document, seen));
  }
  return names;
}

function referred(reference: string, document: Contract): unknown {
  const steps = reference.replace('#/', '').split('/');
  return steps.reduce<unknown>((part, step) => (part as Json)?.[step], document);
}
