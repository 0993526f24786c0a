import { findCard } from '../../db/cards/cards.ts';
import type { Queryable } from '../../db/engine/database.ts';
import { findMerchant } from '../../db/merchants/merchants.ts';
import { findSubscriptionOfBuyer } from '../../db/subscriptions/checkout-subscriptions.ts';
import type { Card } from '../../domain/cards/card.ts';
import { isPublicHash, slotOfHash } from '../../domain/identifiers.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { ShownSubscription, Subscription } from '../../domain/subscriptions/subscription.ts';
import { pageHashOf } from '../checkout/find-checkout.ts';
import type { PageOwner } from '../checkout/find-owner.ts';
import type { Deps } from '../deps.ts';
import { notFound, requireRow } from '../refusal.ts';
import { showSubscriptions } from './shown-subscription.ts';

/** A subscription as its buyer reads it. */
export interface BuyersSubscription extends ShownSubscription {
  /** Of the payment link or the offer where it was started. */
  readonly pageHash: string;
  /** The card that is charged; null for other methods. */
  readonly card: Card | null;
}

/** Whose subscription this is, if a buyer started it at a checkout page. Refusal: `not_found`. */
export async function ownerOfCheckoutSubscription(deps: Deps, hash: string): Promise<PageOwner> {
  const { scope, subscription } = await requireSubscription(deps, hash);
  const merchant = requireRow(await findMerchant(deps.db, scope));
  return { merchant, pageId: (subscription.paymentLinkId ?? subscription.billing.plan.offerId)! };
}

/** The subscription with this hash, if a buyer started it at a checkout page. Refusal: `not_found`. */
export async function getCheckoutSubscription(
  deps: Deps,
  merchant: Merchant,
  hash: string,
): Promise<BuyersSubscription> {
  const { subscription } = await requireSubscription(deps, hash);
  const [shown] = await showSubscriptions(deps.db, merchant, [subscription]);
  const { paymentLinkId, billing } = subscription;
  const pageHash = await pageHashOf(deps, merchant, { paymentLinkId, offerId: billing.plan.offerId });
  return { ...shown!, pageHash, card: await findChargedCard(deps.db, merchant, subscription) };
}

/** The card that a subscription charges; null for other methods. */
export async function findChargedCard(
  q: Queryable,
  merchant: Merchant,
  { cardId }: Subscription,
): Promise<Card | null> {
  return cardId === null ? null : ((await findCard(q, merchant, cardId)) ?? null);
}

async function requireSubscription(deps: Deps, hash: string) {
  const found = isPublicHash(hash)
    ? await findSubscriptionOfBuyer(deps.db, slotOfHash(hash)!, hash)
    : undefined;
  if (found === undefined) throw notFound('Subscription');
  return found;
}
