import { lockOffer, updateOffer as updateRow } from '../../db/products/offers.ts';
import { isUuid, normalizeUuid } from '../../domain/identifiers.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { Offer, OfferInterval } from '../../domain/products/offer.ts';
import { lastPrice, type PriceBand } from '../../domain/products/price-ladder.ts';
import { type Deps, type Finish, now } from '../deps.ts';
import { notFound, Violations } from '../refusal.ts';
import { checkLadder } from './offer-rules.ts';

/** Any subset of the fields. The ladder is replaced as a whole. */
export interface OfferChanges {
  readonly name?: string | undefined;
  /** Only for an offer that is paid once. */
  readonly amount_centavos?: number | undefined;
  /** This field and those below: only for a recurring offer. */
  readonly interval?: OfferInterval | undefined;
  readonly trialDays?: number | undefined;
  readonly cycles?: readonly PriceBand[] | undefined;
}

/**
 * Changes an offer. Subscriptions have their own copy of the ladder, so their price does not change. Refusals:
 * `not_found`; fields of the other type; all wrong bands of the ladder.
 */
export function updateOffer<Answer>(
  deps: Deps,
  merchant: Merchant,
  { id, changes }: { readonly id: string; readonly changes: OfferChanges },
  finish: Finish<Offer, Answer>,
): Promise<Answer> {
  return deps.db.transaction(merchant, async (tx) => {
    const stored = isUuid(id) ? await lockOffer(tx, merchant, normalizeUuid(id)) : undefined;
    if (stored === undefined) throw notFound('Offer');
    const violations = new Violations();
    checkType(violations, stored, changes);
    if (changes.cycles !== undefined) checkLadder(violations, changes.cycles);
    violations.throwIfAny();
    return finish(tx, await updateRow(tx, merchant, changed(stored, changes, now(deps, merchant))));
  });
}

function checkType(violations: Violations, { type }: Offer, changes: OfferChanges): void {
  if (type === 'recurring') {
    if (changes.amount_centavos !== undefined) {
      violations.add('amount_centavos', 'This field belongs to offers of the type one_time.');
    }
    return;
  }
  for (const field of ['interval', 'trialDays', 'cycles'] as const) {
    if (changes[field] === undefined) continue;
    violations.add(field, 'This field belongs to offers of the type recurring.');
  }
}

function changed(stored: Offer, changes: OfferChanges, at: Date): Offer {
  const cycles = changes.cycles ?? stored.cycles;
  return {
    ...stored,
    name: changes.name ?? stored.name,
    amount_centavos:
      stored.type === 'recurring' ? lastPrice(cycles) : (changes.amount_centavos ?? stored.amount_centavos),
    interval: changes.interval ?? stored.interval,
    trialDays: changes.trialDays ?? stored.trialDays,
    cycles,
    updatedAt: at,
  };
}
