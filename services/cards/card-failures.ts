import { createHash } from 'node:crypto';
import { addFailure, countFailures } from '../../db/cards/card-failures.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { Deps } from '../deps.ts';
import { Refusal } from '../refusal.ts';

/** The largest number of failures of one key in a minute (contract row 4.3). */
const MAX_FAILURES = 60;
const SECOND_MS = 1000;
const WINDOW_MS = 60 * SECOND_MS;

/**
 * The answers for the AES form show whether a modified text could be decrypted, so an attacker with unlimited attempts
 * could decrypt a card. Refuses with `too_many_unreadable_cards` when too many texts of the API key could not be read in
 * the last minute of wall time, counted in the database over all processes. A card that was read and is invalid does not
 * count: only one modified text in 400,000 has this result.
 */
export async function refuseAfterManyFailures(
  deps: Deps,
  merchant: MerchantScope,
  keyId: string,
): Promise<void> {
  const failures = await countFailures(deps.db, merchant, windowOf(deps, keyId));
  if (failures > MAX_FAILURES) throw tooMany();
}

/** Counts a failure. Returns the refusal, which is the same for every failure until there are too many. */
export async function refusalOfFailure(deps: Deps, merchant: MerchantScope, keyId: string): Promise<Refusal> {
  const failures = await addFailure(deps.db, merchant, windowOf(deps, keyId));
  return failures > MAX_FAILURES ? tooMany() : unreadable();
}

function windowOf(deps: Deps, keyId: string) {
  const now_ms = deps.wall().getTime();
  const at = new Date(now_ms - (now_ms % SECOND_MS));
  return { counterId: counterIdOf(keyId), at, since: new Date(at.getTime() - WINDOW_MS) };
}

/** An id for each key, in the form of a UUID. */
function counterIdOf(keyId: string): string {
  return createHash('sha256').update(`card-failures\0${keyId}`).digest('hex').slice(0, 32);
}

/** The same for every failure, without cause or field, so that an attacker cannot distinguish failures. */
function unreadable(): Refusal {
  return new Refusal('unreadable_card', {
    message: 'The encrypted card data could not be read.',
  });
}

function tooMany(): Refusal {
  return new Refusal('too_many_unreadable_cards', {
    message: 'Too many encrypted cards of this key could not be read. Try again in a minute.',
    retryAfter_s: WINDOW_MS / SECOND_MS,
  });
}
