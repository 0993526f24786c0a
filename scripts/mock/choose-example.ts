import type { FoundOperation, Json } from './contract-examples.ts';
import { formatPrefer, parsePrefer } from './prefer.ts';

/** The `Prefer` header for Prism, or the refusal of the request. */
export type Choice =
  | { readonly prefer: string }
  | { readonly refusal: { readonly code: string; readonly message: string } };

/**
 * Chooses the example that answers a request. An example that `Prefer` names also decides the status. Otherwise it is
 * the example that fits the request best: first by an identifier of the path, then by fields with an enum, such as
 * `payment_method`. An unknown name or status is refused with a list of the operation's own.
 */
export function chooseExample(operation: FoundOperation, prefer: string, body: unknown): Choice {
  const { operationId, answers } = operation;
  const wanted = parsePrefer(prefer);
  const code = wanted.get('code');
  if (code !== undefined && !answers.has(code)) {
    const message = `${operationId} has no answer ${code}. It has ${[...answers.keys()].join(', ')}.`;
    return { refusal: { code: 'unknown_status', message } };
  }
  const example = wanted.get('example');
  if (example === undefined) {
    const status = code ?? defaultStatus(operation);
    const best = bestExample(operation, status, body);
    return { prefer: formatPrefer(new Map([...wanted, ['code', status], ...best])) };
  }
  const status = [...answers.keys()].find((one) => isAsked(one, code) && answers.get(one)!.has(example));
  if (status !== undefined) return { prefer: formatPrefer(new Map([...wanted, ['code', status]])) };
  const from = code === undefined ? operationId : `The ${code} of ${operationId}`;
  const message = `${from} has no example ${example}. It has ${listOf(operation, code)}.`;
  return { refusal: { code: 'unknown_example', message } };
}

function isAsked(status: string, code: string | undefined): boolean {
  return code === undefined || status === code;
}

/** The usual status of a success. For creations it is 201, while Prism takes the lowest status. */
function defaultStatus({ answers }: FoundOperation): string {
  if (answers.has('201')) return '201';
  return [...answers.keys()].find((status) => status.startsWith('2'))!;
}

/** The preference for an example of the status; empty when the status has no examples. */
function bestExample(operation: FoundOperation, status: string, body: unknown): [string, string][] {
  const ranked = [...operation.answers.get(status)!].map(([name, value]) => ({
    name,
    rank: rankOf(operation, value, body),
  }));
  // The sort is stable: among equals, the first of the contract wins.
  const [best] = ranked.sort((a, b) => a.rank - b.rank);
  return best === undefined ? [] : [['example', best.name]];
}

/** 0 is the best fit. */
function rankOf({ parameters, choices }: FoundOperation, example: unknown, body: unknown): number {
  const values = typeof example === 'object' && example !== null ? Object.values(example) : [];
  const isNamed = parameters.some((parameter) => values.includes(parameter));
  const differing = choices.filter((path) => {
    const [sent, shown] = [at(body, path), at(example, path)];
    return sent !== undefined && shown !== undefined && sent !== shown;
  });
  return isNamed ? 0 : 1 + differing.length;
}

function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((part, name) => (part as Json | null | undefined)?.[name], value);
}

/** `201: order_card, order_pix; 422: invalid` */
function listOf({ answers }: FoundOperation, code: string | undefined): string {
  return [...answers]
    .filter(([status, examples]) => isAsked(status, code) && examples.size > 0)
    .map(([status, examples]) => `${status}: ${[...examples.keys()].join(', ')}`)
    .join('; ');
}
