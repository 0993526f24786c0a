import { type DueNetworkToken, settleToken, type TokenResult } from '../../db/cards/network-tokens.ts';
import { merchantNow } from '../../domain/merchants/merchant.ts';
import type { Deps } from '../deps.ts';
import { cardContext } from './card-context.ts';

/** Attempts, over some seven hours, before a network that does not answer counts as having refused. */
export const MAX_ATTEMPTS = 12;
const FIRST_BACKOFF_MS = 5_000;
const MAX_BACKOFF_MS = 60 * 60 * 1000;

/**
 * Requests the network token of a claimed card from the acquirer and writes the result. The reference is the same on every
 * attempt, so an attempt whose answer was lost does not become a second request there. Returns whether there is a result.
 */
export async function fetchNetworkToken(deps: Deps, due: DueNetworkToken): Promise<boolean> {
  const result = await ask(deps, due);
  await settleToken(deps.db, due, result, merchantNow(due.clock, deps.wall()));
  return result.status !== 'requested';
}

async function ask(deps: Deps, due: DueNetworkToken): Promise<TokenResult> {
  // Every earlier attempt failed here, because the number does not open, say, or its process died each time.
  if (due.attempts > MAX_ATTEMPTS) return { status: 'failed' };
  const number = await deps.vault.open(due.numberSealed, cardContext.number(due.cardId));
  const outcome = await deps.acquirer.requestNetworkToken({
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
    const tokenSealed = deps.vault.seal(outcome.networkToken, cardContext.networkToken(due.cardId));
    return { status: 'active', tokenSealed };
  }
  if (outcome.kind === 'refused' || due.attempts >= MAX_ATTEMPTS) return { status: 'failed' };
  return { status: 'requested', dueAt: new Date(deps.wall().getTime() + backoff_ms(due.attempts)) };
}

/** 5 s after the first attempt, doubled after each, at most an hour. */
function backoff_ms(attempts: number): number {
  return Math.min(FIRST_BACKOFF_MS * 2 ** (attempts - 1), MAX_BACKOFF_MS);
}
