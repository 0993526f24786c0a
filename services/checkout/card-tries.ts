import { addTry, countTries, subtractTry } from '../../db/checkout/card-tries.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { Deps } from '../deps.ts';
import { Refusal } from '../refusal.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
export const TRIES_WINDOW_MS = 60 * MINUTE_MS;

/** The most card payments in an hour that are not approved (contract row 13.17). */
const LIMITS = { address: 10, card: 5, page: 100 } as const;

/** What a card payment at a checkout page is counted by. */
export type CardTry = Readonly<Record<keyof typeof LIMITS, string>>;

/** A card payment that was counted. */
export interface CountedTry {
  /** Subtracts it: it was approved, or was not made. */
  subtract(): Promise<void>;
  /** Counts it for the page too: it was made, and not approved. */
  countForPage(): Promise<void>;
}

/**
 * Counts a card payment, because people use checkout pages to find out which stolen cards work. Refuses with
 * `too_many_card_tries`, and counts nothing, if the buyer's address, the card or the page has had too many tries in the
 * last hour of wall time, over all processes.
 *
 * The address and the card are counted before the acquirer is asked, so that many tries at the same time do not exceed the
 * limit. The page is counted after a try that was not approved: many buyers may pay at one page at the same time.
 */
export async function countCardTry(deps: Deps, merchant: Merchant, tried: CardTry): Promise<CountedTry> {
  const now_ms = deps.wall().getTime();
  const minute = new Date(now_ms - (now_ms % MINUTE_MS));
  const ids = {
    address: counterIdOf(deps, 'address', tried.address),
    card: counterIdOf(deps, 'card', tried.card),
    page: counterIdOf(deps, 'page', tried.page),
  };
  const countedFirst = { counterIds: [ids.address, ids.card].sort(), minute };
  await deps.db.transaction(merchant, async (tx) => {
    await addTry(tx, merchant, countedFirst);
    const since = new Date(now_ms - TRIES_WINDOW_MS);
    const counted = await countTries(tx, merchant, { counterIds: Object.values(ids), since });
    const most = new Map([
      [ids.address, LIMITS.address],
      [ids.card, LIMITS.card],
      // This try is not counted yet.
      [ids.page, LIMITS.page - 1],
    ]);
    const exceeded = counted.filter(({ counterId, tries }) => tries > most.get(counterId)!);
    if (exceeded.length > 0) throw tooMany(now_ms, exceeded);
  });
  return {
    subtract: () => deps.db.transaction(merchant, (tx) => subtractTry(tx, merchant, countedFirst)),
    countForPage: () =>
      deps.db.transaction(merchant, (tx) => addTry(tx, merchant, { counterIds: [ids.page], minute })),
  };
}

/** In the form of a UUID. A keyed hash, so that the table does not show the addresses of buyers. */
function counterIdOf({ hash }: Deps, name: keyof CardTry, value: string): string {
  const hex = hash('checkout-try', `${name}\0${value}`).toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    '-',
  );
}

function tooMany(now_ms: number, exceeded: readonly { readonly firstMinute: Date }[]): Refusal {
  const free_ms = Math.max(...exceeded.map(({ firstMinute }) => firstMinute.getTime())) + TRIES_WINDOW_MS;
  return new Refusal('too_many_card_tries', {
    message: 'Too many cards were tried here. Pay another way, or try again later.',
    retryAfter_s: Math.max(1, Math.ceil((free_ms - now_ms) / SECOND_MS)),
  });
}
