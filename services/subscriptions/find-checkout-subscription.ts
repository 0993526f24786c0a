import { findCard } from '../../db/cards/cards.ts';
import type { Queryable } from '../../db/engine/database.ts';
import { findMerchant } from '../../db/merchants/merchants.ts';
import { findSubscriptionOfBuyer } from '../../db/subscriptions/checkout-subscriptions.ts';
import type { Card } from '../../domain/cards/card.ts';
import { isPublicHash, slotOfHash } from '../../domain/identifiers.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import { type CheckoutMethod, isAtCheckout } from '../../domain/payments/methods/index.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { endOfPaidAccess } from '../../domain/subscriptions/cancel-billing.ts';
import { waitsForMerchant } from '../../domain/subscriptions/engine/next-charge.ts';
import type { ShownSubscription, Subscription } from '../../domain/subscriptions/subscription.ts';
import { pageHashOf } from '../checkout/find-checkout.ts';
import type { Deps } from '../deps.ts';
import { notFound, requireRow } from '../refusal.ts';
import { showSubscriptions } from './shown-subscription.ts';

/** A subscription as its buyer reads it. */
export interface BuyersSubscription extends Omit<ShownSubscription, 'payment'> {
  /** The latest one; null if there is none, and if it was made by a method that no page has. */
  readonly payment: Payment<CheckoutMethod> | null;
  /** When the paid access of a canceled subscription ends; null if it is not canceled, or if its cycle is not paid. */
  readonly accessEndsAt: Date | null;
  /** Of the payment link or the offer where it was started. */
  readonly pageHash: string;
  /** The card that is charged; null for other methods. */
  readonly card: Card | null;
}

/**
 * The subscription with this hash, if a buyer started it at a checkout page, and its merchant. Refusal: `not_found`.
 */
export async function ownerOfCheckoutSubscription(
  deps: Deps,
  hash: string,
): Promise<{ readonly merchant: Merchant; readonly subscription: Subscription }> {
  const found = isPublicHash(hash)
    ? await findSubscriptionOfBuyer(deps.db, slotOfHash(hash)!, hash)
    : undefined;
  if (found === undefined) throw notFound('Subscription');
  const { scope, subscription } = found;
  const merchant = requireRow(await findMerchant(deps.db, scope));
  return { merchant, subscription };
}

/** What the buyer of a subscription sees. */
export async function showBuyersSubscription(
  deps: Deps,
  merchant: Merchant,
  subscription: Subscription,
): Promise<BuyersSubscription> {
  const [shown] = await showSubscriptions(deps.db, merchant, [subscription]);
  const { paymentLinkId, pageOfferId: offerId } = subscription;
  const pageHash = await pageHashOf(deps, merchant, { paymentLinkId, offerId });
  return buyersView(deps.db, merchant, shown!, pageHash);
}

/** A subscription for its buyer. `pageHash`: see `BuyersSubscription`. */
export async function buyersView(
  q: Queryable,
  merchant: Merchant,
  shown: ShownSubscription,
  pageHash: string,
): Promise<BuyersSubscription> {
  const { payment, subscription } = shown;
  return {
    ...shown,
    payment: payment !== null && isAtCheckout(payment) ? payment : null,
    nextCharge: waitsForMerchant(subscription.billing) ? null : shown.nextCharge,
    accessEndsAt: endOfPaidAccess(subscription.billing),
    pageHash,
    card: await findChargedCard(q, merchant, subscription),
  };
}

/** The card that a subscription charges; null for other methods. */
async function findChargedCard(
  q: Queryable,
  merchant: Merchant,
  { cardId }: Subscription,
): Promise<Card | null> {
  return cardId === null ? null : ((await findCard(q, merchant, cardId)) ?? null);
}
