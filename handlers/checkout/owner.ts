import { ownerOfCheckoutPayment, ownerOfPage, type PageOwner } from '../../services/checkout/find-owner.ts';
import type { Deps } from '../../services/deps.ts';
import { ownerOfCheckoutSubscription } from '../../services/subscriptions/find-checkout-subscription.ts';
import type { RecordOwner } from '../http/handler.ts';

interface HashPath {
  readonly hash: string;
}

/** The merchant of the page in the path. */
export async function pageOwner(deps: Deps, { hash }: HashPath): Promise<RecordOwner> {
  return ownerAs(await ownerOfPage(deps, hash));
}

/** The merchant of the payment in the path. */
export async function paymentOwner(deps: Deps, { hash }: HashPath): Promise<RecordOwner> {
  return ownerAs(await ownerOfCheckoutPayment(deps, hash));
}

/** The merchant of the subscription in the path. */
export async function subscriptionOwner(deps: Deps, { hash }: HashPath): Promise<RecordOwner> {
  return ownerAs(await ownerOfCheckoutSubscription(deps, hash));
}

/** The requests of one page do not use the quota of the merchant's own requests. */
function ownerAs({ merchant, pageId }: PageOwner): RecordOwner {
  return { merchant, tenant: `checkout ${pageId}` };
}
