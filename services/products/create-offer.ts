import { findOffer, insertOffer } from '../../db/products/offers.ts';
import { publicHash } from '../../domain/identifiers.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import { hasSubscriptions, NO_SUBSCRIPTIONS } from '../../domain/merchants/plans.ts';
import type { Offer, OfferInterval } from '../../domain/products/offer.ts';
import { lastPrice, type PriceBand } from '../../domain/products/price-ladder.ts';
import { type Deps, type Finish, now } from '../deps.ts';
import { requireRow, Violations } from '../refusal.ts';
import { findProduct } from './find-product.ts';
import { checkLadder } from './offer-rules.ts';

/** A new offer. Each type has its own fields. */
export type NewOffer = { readonly id: string; readonly productId: string; readonly name: string } & (
  | { readonly type: 'one_time'; readonly amount_centavos: number }
  | {
      readonly type: 'recurring';
      readonly interval: OfferInterval;
      readonly trialDays: number;
      readonly cycles: readonly PriceBand[];
    }
);

/**
 * Creates an active offer of a product with the id `id`. If the id exists, this is a repetition of the request, and the
 * result is that offer. Refusals: `not_found` for the product; `type` if the plan does not include subscriptions; all
 * wrong bands of the ladder.
 */
export async function createOffer<Answer>(
  deps: Deps,
  merchant: Merchant,
  input: NewOffer,
  finish: Finish<Offer, Answer>,
): Promise<Answer> {
  const product = await findProduct(deps, merchant, input.productId);
  const violations = new Violations();
  if (input.type === 'recurring') {
    if (!hasSubscriptions(merchant)) violations.add('type', NO_SUBSCRIPTIONS);
    checkLadder(violations, input.cycles);
  }
  violations.throwIfAny();
  return deps.db.transaction(merchant, async (tx) => {
    const offer = newOffer(deps, merchant, { ...input, productId: product.id });
    const created = (await insertOffer(tx, merchant, offer)) ?? (await findOffer(tx, merchant, input.id));
    return finish(tx, requireRow(created));
  });
}

function newOffer(deps: Deps, merchant: Merchant, input: NewOffer): Offer {
  const at = now(deps, merchant);
  const price =
    input.type === 'one_time'
      ? { amount_centavos: input.amount_centavos, interval: null, trialDays: 0, cycles: [] }
      : {
          amount_centavos: lastPrice(input.cycles),
          interval: input.interval,
          trialDays: input.trialDays,
          cycles: input.cycles,
        };
  return {
    id: input.id,
    hash: publicHash(merchant.slot, deps.random),
    productId: input.productId,
    type: input.type,
    name: input.name,
    state: 'active',
    currency: 'BRL',
    ...price,
    createdAt: at,
    updatedAt: at,
  };
}
