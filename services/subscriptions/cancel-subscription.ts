import type { Merchant } from '../../domain/merchants/merchant.ts';
import { canCancel, cancelBilling } from '../../domain/subscriptions/cancel-billing.ts';
import type { ShownSubscription } from '../../domain/subscriptions/subscription.ts';
import { type Deps, type Finish, now } from '../deps.ts';
import { notInThisState } from '../refusal.ts';
import { findSubscription } from './find-subscription.ts';
import { moveSubscription } from './move-subscription.ts';
import { showSubscriptions } from './shown-subscription.ts';
import { lockWithPayment, mayWithdraw, withdrawPayment } from './withdraw-payment.ts';

export interface Cancellation {
  /** The id or the code of the subscription. */
  readonly identifier: string;
  readonly reason: string | null;
}

/**
 * Cancels a subscription: no charge follows, and a charge that the customer has not paid is withdrawn. Access lasts to the end of the paid period. A charge whose outcome is not known
 * yet keeps its cycle until then. Refusals: `not_found`; `wrong_state` for one that is canceled or has ended.
 */
export async function cancelSubscription<Answer>(
  deps: Deps,
  merchant: Merchant,
  { identifier, reason }: Cancellation,
  finish: Finish<ShownSubscription, Answer>,
): Promise<Answer> {
  const found = await findSubscription(deps.db, merchant, identifier);
  return deps.db.transaction(merchant, async (tx) => {
    const context = { deps, tx, merchant };
    const { subscription, payment } = await lockWithPayment(tx, merchant, found);
    const { billing } = subscription;
    if (!canCancel(billing))
      throw notInThisState(`A subscription that is ${billing.status} cannot be canceled.`);
    const at = now(deps, merchant);
    const change = cancelBilling(billing, 'merchant', at, mayWithdraw(payment));
    const details = { at, cancellationReason: reason };
    const canceled = await moveSubscription(context, subscription, change, details);
    if (change.payment?.kind === 'withdraw') await withdrawPayment(context, payment, { by: 'merchant', at });
    const [shown] = await showSubscriptions(tx, merchant, [canceled]);
    return finish(tx, shown!);
  });
}
