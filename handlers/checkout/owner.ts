import type { CheckoutPayment } from '../../domain/checkout/checkout-payment.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { Subscription } from '../../domain/subscriptions/subscription.ts';
import { ownerOfCheckoutPayment, ownerOfPage } from '../../services/checkout/find-owner.ts';
import { partOf } from '../../services/counts.ts';
import type { Deps } from '../../services/deps.ts';
import { ownerOfCheckoutSubscription } from '../../services/subscriptions/find-checkout-subscription.ts';
import type { RecordOwner } from '../http/handler.ts';

interface HashPath {
  readonly hash: string;
}

/** The merchant of the page in the path. */
export async function pageOwner(deps: Deps, { hash }: HashPath): Promise<RecordOwner> {
  const { merchant, pageId } = await ownerOfPage(deps, hash);
  return ownerAs(merchant, pageId, undefined);
}

/** The payment in the path and its merchant. */
export async function paymentOwner(deps: Deps, { hash }: HashPath): Promise<RecordOwner<CheckoutPayment>> {
  const { merchant, found } = await ownerOfCheckoutPayment(deps, hash);
  const { paymentLinkId, offerId } = found.payment;
  return ownerAs(merchant, paymentLinkId ?? offerId, found);
}

/** The subscription in the path and its merchant. */
export async function subscriptionOwner(deps: Deps, { hash }: HashPath): Promise<RecordOwner<Subscription>> {
  const { merchant, subscription } = await ownerOfCheckoutSubscription(deps, hash);
  return ownerAs(merchant, subscription.paymentLinkId ?? subscription.pageOfferId, subscription);
}

/**
 * All pages of a merchant are one tenant, so buyers at many pages of one merchant leave capacity for other merchants.
 * Each page is a part of it, so a crowd at one page leaves capacity for the others. It is another tenant than the
 * merchant, so they do not use the quota of the merchant's own requests.
 */
function ownerAs<Found>(merchant: Merchant, pageId: string | null, record: Found): RecordOwner<Found> {
  return { merchant, tenant: partOf(`checkout ${merchant.merchantId}`, `${pageId}`), record };
}
