import { addFailure, countFailures } from '../../db/cards/card-failures.ts';
import { SECOND_MS } from '../../domain/durations.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import { counterIdOf } from '../counter-id.ts';
import type { Deps } from '../deps.ts';
import { Refusal } from '../refusal.ts';

/** The largest number of failures of one key in a minute (contract row 4.3). */
const MAX_FAILURES = 60;
const WINDOW_MS = 60 * SECOND_MS;

/** Who sends encrypted cards: a merchant with the id of its API key, or a buyer with a network address. */
export interface CardSender {
  readonly kind: 'key' | 'buyer';
  readonly id: string;
}

/**
 * The answers for the AES form show whether a modified text could be decrypted, so an attacker with unlimited attempts
 * could decrypt a card. Refuses with `too_many_unreadable_cards` when too many texts of the sender could not be read in
 * the last minute of wall time, counted in the database over all processes. A card that was read and is invalid does
 * not count: only one modified text in 400,000 has this result.
 */
export async function refuseAfterManyFailures(
  deps: Deps,
  merchant: MerchantScope,
  sender: CardSender,
): Promise<void> {
  const failures = await countFailures(deps.db, merchant, windowOf(deps, sender));
  if (failures > MAX_FAILURES) throw tooMany(sender);
}

/** Counts a failure. Returns the refusal, which is the same for every failure until there are too many. */
export async function refusalOfFailure(
  deps: Deps,
  merchant: MerchantScope,
  sender: CardSender,
): Promise<Refusal> {
  const failures = await addFailure(deps.db, merchant, windowOf(deps, sender));
  return failures > MAX_FAILURES ? tooMany(sender) : unreadable();
}

function windowOf(deps: Deps, sender: CardSender) {
  const now_ms = deps.wall().getTime();
  const at = new Date(now_ms - (now_ms % SECOND_MS));
  return {
    counterId: counterIdOf(deps, `card-failures\0${sender.kind}`, sender.id),
    at,
    since: new Date(at.getTime() - WINDOW_MS),
  };
}

/** The same for every failure, without cause or field, so that an attacker cannot distinguish failures. */
function unreadable(): Refusal {
  return new Refusal('unreadable_card', {
    message: 'The encrypted card data could not be read.',
  });
}

const TOO_MANY: Readonly<Record<CardSender['kind'], string>> = {
  key: 'Too many encrypted cards of this key could not be read. Try again in a minute.',
  buyer: 'Too many card details from your network could not be read. Try again in a minute.',
};

function tooMany({ kind }: CardSender): Refusal {
  return new Refusal('too_many_unreadable_cards', {
    message: TOO_MANY[kind],
    retryAfter_s: WINDOW_MS / SECOND_MS,
  });
}
