import type { DueNetworkToken } from '../../db/cards/network-tokens.ts';
import { HOUR_MS } from '../../domain/durations.ts';
import { merchantNow } from '../../domain/merchants/merchant.ts';
import type { Deps } from '../deps.ts';
import { cardContext } from './card-context.ts';
import { moveNetworkToken } from './move-network-token.ts';

/** Attempts, over about seven hours, after which a network that does not answer counts as a refusal. */
const MAX_ATTEMPTS = 12;
const FIRST_BACKOFF_MS = 5_000;
const MAX_BACKOFF_MS = HOUR_MS;

/** The result of an attempt: the move of the token, and what it writes. */
type Result =
  | { readonly move: 'activate'; readonly sealed: Buffer }
  | { readonly move: 'fail'; readonly by: 'acquirer' | 'clock' }
  | { readonly move: 'retry'; readonly dueAt: Date };

/**
 * Requests the network token of a claimed card from the acquirer and writes the result. The reference is the same for
 * every attempt, so the acquirer treats a retry as the same request. Returns whether there is a result.
 */
export async function fetchNetworkToken(deps: Deps, due: DueNetworkToken): Promise<boolean> {
  const { move, ...change } = await ask(deps, due);
  const isSettled = move !== 'retry';
  const at = isSettled ? merchantNow(due.clock, deps.wall()) : null;
  const { cardId, reference: ofReference } = due;
  await moveNetworkToken(deps.db, due, move, { by: 'acquirer', cardId, ofReference, at, ...change });
  return isSettled;
}

async function ask(deps: Deps, due: DueNetworkToken): Promise<Result> {
  // All earlier attempts ended without an outcome: the number cannot be decrypted, or the process died each time.
  if (due.attempts > MAX_ATTEMPTS) return { move: 'fail', by: 'clock' };
  const number = await deps.vault.open(due.numberSealed, cardContext.number(due.cardId));
  const outcome = await deps.acquirer.perform({
    kind: 'network_token',
    reference: due.reference,
    account: due.merchantId,
    requestedAt: merchantNow(due.clock, deps.wall()),
    card: {
      number: number.toString('utf8'),
      expMonth: due.expMonth,
      expYear: due.expYear,
      cardId: due.cardId,
    },
  });
  if (outcome.kind === 'approved') {
    const sealed = deps.vault.seal(outcome.networkToken, cardContext.networkToken(due.cardId));
    return { move: 'activate', sealed };
  }
  if (outcome.kind === 'refused') return { move: 'fail', by: 'acquirer' };
  if (due.attempts >= MAX_ATTEMPTS) return { move: 'fail', by: 'clock' };
  return { move: 'retry', dueAt: new Date(deps.wall().getTime() + backoff_ms(due.attempts)) };
}

/** 5 s after the first attempt, doubled after each, at most an hour. */
function backoff_ms(attempts: number): number {
  return Math.min(FIRST_BACKOFF_MS * 2 ** (attempts - 1), MAX_BACKOFF_MS);
}
