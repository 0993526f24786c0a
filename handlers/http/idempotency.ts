import type { MerchantScope } from '../../domain/scope.ts';
import type { Deps } from '../../services/deps.ts';
import { beginIdempotent, type HeldKey, type StoredAnswer } from '../../services/idempotency.ts';
import type { ContractOperation } from './contract.ts';
import { asRefusal, refusalAnswer } from './errors.ts';
import type { AnswerStream } from './handler.ts';
import { invalidRequest } from './refusal.ts';

const PRINTABLE = /^[\x20-\x7e]{1,255}$/;
const KEY_HEADER = 'idempotency-key';

/** A rendered answer. `text` is its JSON, byte for byte. */
export interface ReadyAnswer {
  readonly status: number;
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Set if the answer is a stream of events. */
  readonly stream?: AnswerStream;
}

export interface KeyedCall {
  readonly operation: ContractOperation;
  readonly scope: MerchantScope;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly path: Readonly<Record<string, string>>;
  readonly bodyText: string;
}

/**
 * Runs a POST once per Idempotency-Key, and other requests directly. `run` gets the held key, so that it can store the
 * answer in its own transaction, or undefined. An answer or refusal that `run` did not store is stored afterwards. An
 * internal error, or a refusal with `Retry-After`, is not stored, and the key is released.
 */
export async function onceByKey(
  deps: Deps,
  call: KeyedCall,
  run: (held: HeldKey | undefined) => Promise<ReadyAnswer>,
): Promise<ReadyAnswer> {
  const key = call.operation.method === 'post' ? keyOf(call.headers) : undefined;
  if (key === undefined) return run(undefined);
  const begun = await beginIdempotent(deps, call.scope, {
    key: call.operation.isOpen ? keyOfBuyer(call, key) : key,
    operation: operationWithIds(call),
    body: call.bodyText,
  });
  if (begun.kind === 'replay') {
    return { ...begun.stored, headers: { 'Idempotency-Replayed': 'true' } };
  }
  return runHeld(deps, call.operation, begun.held, run);
}

async function runHeld(
  deps: Deps,
  operation: ContractOperation,
  held: HeldKey,
  run: (held: HeldKey | undefined) => Promise<ReadyAnswer>,
): Promise<ReadyAnswer> {
  let stored = false;
  const watched: HeldKey = {
    ...held,
    answer: async (q, answer) => {
      await held.answer(q, answer);
      stored = true;
    },
  };
  try {
    const answer = await run(watched);
    if (!stored) await held.answer(deps.db, answer);
    return answer;
  } catch (error) {
    const refusal = asRefusal(error);
    // A refusal with Retry-After is not the final answer: the client retries with the same key.
    if (refusal === undefined || refusal.status === 503 || refusal.retryAfter_s !== undefined) {
      await held.release().catch(() => {});
      throw error;
    }
    const { status, body, headers } = refusalAnswer(error, operation);
    const answer: StoredAnswer = { status, text: JSON.stringify(body) };
    await held.answer(deps.db, answer);
    return { ...answer, headers };
  }
}

function keyOf(headers: KeyedCall['headers']): string | undefined {
  const value = headers[KEY_HEADER];
  if (value === undefined) return undefined;
  if (typeof value !== 'string' || !PRINTABLE.test(value)) {
    throw invalidRequest({ 'Idempotency-Key': 'Must be 1 to 255 printable ASCII characters.' });
  }
  return value;
}

/**
 * The keys of buyers are unique for each record that the path names. The tab keeps them apart from the keys of the
 * merchant, which are printable.
 */
function keyOfBuyer({ path }: KeyedCall, key: string): string {
  return `${Object.values(path).join(' ')}\t${key}`;
}

/** Encodes the path parameters, because they can contain text that cannot be stored, and spaces. */
function operationWithIds({ operation, path }: KeyedCall): string {
  return [operation.operationId, ...Object.values(path).map(encodeURIComponent)].join(' ');
}
