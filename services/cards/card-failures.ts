import { createHash } from 'node:crypto';
import { addFailure, countFailures } from '../../db/cards/card-failures.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { Deps } from '../deps.ts';
import { Refusal } from '../refusal.ts';

/** Failures of one key in a minute; one more is refused (contract row 4.3). */
const MAX_FAILURES = 60;
const SECOND_MS = 1000;
const WINDOW_MS = 60 * SECOND_MS;

/**
 * The AES form tells a right text from a wrong one, so whoever could try without end could read a card by it. Counted
 * in the database, over all processes: what one key has failed to have opened in the last minute of wall time. The 422
 * of a card that was read is none of these: of altered texts one in 400,000 gets so far, and the others are counted.
 */
export async function refuseAfterManyFailures(
  deps: Deps,
  merchant: MerchantScope,
  keyId: string,
): Promise<void> {
  const failures = await countFailures(deps.db, merchant, windowOf(deps, keyId));
  if (failures > MAX_FAILURES) throw tooMany();
}

/** Counts a failure. Resolves to the refusal that it deserves: the one that every failure gets, or 429. */
export async function refusalOfFailure(deps: Deps, merchant: MerchantScope, keyId: string): Promise<Refusal> {
  const failures = await addFailure(deps.db, merchant, windowOf(deps, keyId));
  return failures > MAX_FAILURES ? tooMany() : unreadable();
}

function windowOf(deps: Deps, keyId: string) {
  const now_ms = deps.wall().getTime();
  const at = new Date(now_ms - (now_ms % SECOND_MS));
  return { counterId: counterIdOf(keyId), at, since: new Date(at.getTime() - WINDOW_MS) };
}

/** An id of its own for each key, in the form of a UUID. */
function counterIdOf(keyId: string): string {
  return createHash('sha256').update(`card-failures\0${keyId}`).digest('hex').slice(0, 32);
}

/** Every failure is this one, with nothing to tell it from another: no cause, no field. */
function unreadable(): Refusal {
  return new Refusal('bad_request', {
    code: 'invalid_encrypted_card',
    message: 'The encrypted card data could not be read.',
  });
}

function tooMany(): Refusal {
  return new Refusal('rate_limited', {
    code: 'rate_limited',
    message: 'Too many encrypted cards of this key could not be read. Try again in a minute.',
    retryAfter_s: WINDOW_MS / SECOND_MS,
  });
}
