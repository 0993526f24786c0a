import { addTry, countTries, subtractTry } from '../../db/checkout/card-tries.ts';
import { MINUTE_MS, SECOND_MS } from '../../domain/durations.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import { counterIdOf, scopeOfCounter } from '../counter-id.ts';
import type { Deps, TransactionContext } from '../deps.ts';
import { Refusal } from '../refusal.ts';

export const TRIES_WINDOW_MS = 60 * MINUTE_MS;

/** The most card payments in an hour that are not approved (contract row 13.17). */
const LIMITS = { address: 10, card: 5, page: 100 } as const;
/** Counted before the acquirer is asked; the page after it. */
const COUNTED_FIRST = ['address', 'card'] as const;

type Limit = keyof typeof LIMITS;

/** What a card payment at a checkout page is counted by. `page` is the id of the link or the offer. */
export interface CardTry extends Readonly<Record<Limit, string>> {
  readonly pageHash: string;
}

/** A card payment that was counted. */
export interface CountedTry {
  /** Subtracts it: it was approved, or was not made. */
  subtract(): Promise<void>;
}

/**
 * Counts a card payment, because people use checkout pages to find out which stolen cards work. Refuses with
 * `too_many_card_tries`, and counts nothing, if the buyer's address, the card or the page has had too many tries in the
 * last hour of wall time, over all processes.
 *
 * The address and the card are counted before the acquirer is asked, so that many tries at the same time do not exceed
 * the limit. The page is counted when the payment is refused (`countRefusedCard`): many buyers may pay at one page at
 * the same time, and an outage of the acquirer must not close it.
 */
export async function countCardTry(deps: Deps, merchant: Merchant, tried: CardTry): Promise<CountedTry> {
  const now_ms = deps.wall().getTime();
  const addressId = counterIdOf(deps, 'address', tried.address);
  // An address has one limit at all pages. In the sandbox, a reset forgets what its merchant has tried.
  const scope = deps.environment === 'sandbox' ? merchant : scopeOfCounter(addressId);
  const ofAddress = await count(deps, merchant, { tried, now_ms, scope, limits: ['address'] });
  try {
    const ofCard = await count(deps, merchant, {
      ...{ tried, now_ms, scope: merchant },
      limits: ['card', 'page'],
    });
    return {
      async subtract() {
        await ofCard.subtract();
        await ofAddress.subtract();
      },
    };
  } catch (error) {
    await ofAddress.subtract();
    throw error;
  }
}

interface Counting {
  readonly tried: CardTry;
  readonly now_ms: number;
  /** Where the counters of these limits are. */
  readonly scope: MerchantScope;
  readonly limits: readonly Limit[];
}

/** Counts a try by those of the limits that are counted first. Refuses if one of the limits is exceeded. */
async function count(
  deps: Deps,
  merchant: Merchant,
  { tried, now_ms, scope, limits }: Counting,
): Promise<CountedTry> {
  const nameOf = new Map(limits.map((name) => [counterIdOf(deps, name, tried[name]), name]));
  const firstIds = [...nameOf].flatMap(([id, name]) => (isCountedFirst(name) ? [id] : [])).sort();
  const counters = { counterIds: firstIds, minute: minuteOf(now_ms) };
  await deps.db.transaction(scope, async (tx) => {
    await addTry(tx, scope, counters);
    const since = new Date(now_ms - TRIES_WINDOW_MS);
    const counted = await countTries(tx, scope, { counterIds: [...nameOf.keys()], since });
    const exceeded = counted.filter(({ counterId, tries }) => isExceeded(nameOf.get(counterId)!, tries));
    if (exceeded.length === 0) return;
    const names = exceeded.map(({ counterId }) => nameOf.get(counterId)!);
    report(deps, merchant, tried.pageHash, names);
    throw tooMany(now_ms, exceeded);
  });
  return { subtract: () => deps.db.transaction(scope, (tx) => subtractTry(tx, scope, counters)) };
}

/** Counts a card payment that was not approved for its page. */
export async function countRefusedCard(
  { deps, tx, merchant }: TransactionContext,
  pageId: string,
): Promise<void> {
  const counterIds = [counterIdOf(deps, 'page', pageId)];
  await addTry(tx, merchant, { counterIds, minute: minuteOf(deps.wall().getTime()) });
}

function minuteOf(now_ms: number): Date {
  return new Date(now_ms - (now_ms % MINUTE_MS));
}

function isCountedFirst(name: Limit): boolean {
  return (COUNTED_FIRST as readonly string[]).includes(name);
}

function isExceeded(name: Limit, tries: number): boolean {
  // A try that is counted afterwards is not in the sum yet.
  return tries > (isCountedFirst(name) ? LIMITS[name] : LIMITS[name] - 1);
}

/** An operator sees by it that somebody tests stolen cards. */
function report(
  { log, countRefusedCardTry }: Deps,
  { merchantId }: Merchant,
  pageHash: string,
  limits: readonly Limit[],
): void {
  for (const limit of limits) countRefusedCardTry({ limit });
  log.warn({ merchant_id: merchantId, page_hash: pageHash, limits }, 'too many card tries');
}

function tooMany(now_ms: number, exceeded: readonly { readonly firstMinute: Date }[]): Refusal {
  const free_ms = Math.max(...exceeded.map(({ firstMinute }) => firstMinute.getTime())) + TRIES_WINDOW_MS;
  return new Refusal('too_many_card_tries', {
    message: 'Too many cards were tried here. Pay another way, or try again later.',
    retryAfter_s: Math.max(1, Math.ceil((free_ms - now_ms) / SECOND_MS)),
  });
}
