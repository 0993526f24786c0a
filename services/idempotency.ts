import { randomUUID } from 'node:crypto';
import type { Tx } from '../db/engine/database.ts';
import { claimKey, findKey, releaseKey, storeAnswer } from '../db/idempotency-keys.ts';
import { DAY_MS } from '../domain/durations.ts';
import { uuidV7 } from '../domain/identifiers.ts';
import type { MerchantScope } from '../domain/scope.ts';
import type { Deps } from './deps.ts';
import { LONGEST_REQUEST_MS } from './longest-request.ts';
import { Refusal } from './refusal.ts';

/** How long the first answer is replayed (contract row 1.12). */
const ANSWER_RETENTION_MS = DAY_MS;
/**
 * How long a run holds its key before another run can take it over. A run that takes longer and has lost its lease
 * cannot commit its answer, or anything else in the same transaction.
 */
const IDEMPOTENCY_LEASE_MS = LONGEST_REQUEST_MS + 5_000;
const RETRY_AFTER_IN_FLIGHT_S = 1;

export interface IdempotentRequest {
  readonly key: string;
  /** The operation with its path ids. */
  readonly operation: string;
  readonly body: string;
}

export interface StoredAnswer {
  readonly status: number;
  readonly text: string;
}

/** A key that this run holds. The run must answer, in its transaction or after it, or release the key. */
export interface HeldKey {
  readonly resourceId: string;
  /** Whether an earlier run of the same request with this id ended without an answer. It may have written rows. */
  readonly isRerun: boolean;
  answer(q: Tx | Deps['db'], stored: StoredAnswer): Promise<void>;
  release(): Promise<void>;
}

export type BegunRequest =
  | { readonly kind: 'run'; readonly held: HeldKey }
  | { readonly kind: 'replay'; readonly stored: StoredAnswer };

/**
 * Begins a request with an idempotency key. Either this run holds the key, or the first answer is replayed unchanged.
 * Refusals: `idempotency_key_reused` for another body or operation, `request_in_progress` while the first run is not
 * finished.
 */
export async function beginIdempotent(
  deps: Deps,
  scope: MerchantScope,
  request: IdempotentRequest,
): Promise<BegunRequest> {
  const at = deps.wall();
  const bodyHash = deps.hash('idempotency-body', request.body);
  const leaseId = randomUUID();
  const newId = uuidV7(at.getTime(), deps.random);
  const claimed = await claimKey(deps.db, scope, {
    key: request.key,
    operation: request.operation,
    bodyHash,
    resourceId: newId,
    leaseId,
    leasedUntil: new Date(at.getTime() + IDEMPOTENCY_LEASE_MS),
    at,
    expiresAt: new Date(at.getTime() + ANSWER_RETENTION_MS),
  });
  if (claimed !== undefined) {
    const { resourceId } = claimed;
    const run = { key: request.key, leaseId, resourceId, isRerun: resourceId !== newId };
    return { kind: 'run', held: held(deps, scope, run) };
  }
  const known = await findKey(deps.db, scope, request.key);
  if (known === undefined) throw inFlight();
  if (known.operation !== request.operation || !known.bodyHash.equals(bodyHash)) throw reused();
  if (known.status === null || known.sealedBody === null) throw inFlight();
  const text = await deps.vault.open(known.sealedBody, responseContext(scope.merchantId, request.key));
  return { kind: 'replay', stored: { status: known.status, text: text.toString('utf8') } };
}

interface Run {
  readonly key: string;
  readonly leaseId: string;
  readonly resourceId: string;
  readonly isRerun: boolean;
}

function held(deps: Deps, scope: MerchantScope, run: Run): HeldKey {
  const { key, leaseId } = run;
  return {
    resourceId: run.resourceId,
    isRerun: run.isRerun,
    answer: async (q, stored) => {
      const sealedBody = deps.vault.seal(stored.text, responseContext(scope.merchantId, key));
      const isOurs = await storeAnswer(q, scope, { key, leaseId, status: stored.status, sealedBody });
      // Thrown in the use case's transaction, this rolls it back. The run that took over does the work.
      if (!isOurs) throw inFlight();
    },
    release: () => releaseKey(deps.db, scope, { key, leaseId, at: deps.wall() }),
  };
}

/** The vault context of a stored answer. */
export function responseContext(merchantId: string, key: string): string {
  return `idempotency_keys.response:${merchantId}:${key}`;
}

function inFlight(): Refusal {
  return new Refusal('request_in_progress', {
    message: 'The request is still running.',
    retryAfter_s: RETRY_AFTER_IN_FLIGHT_S,
  });
}

function reused(): Refusal {
  return new Refusal('idempotency_key_reused', {
    message: 'The key was used for another request.',
  });
}
