import type { Merchant } from '../../domain/merchants/merchant.ts';
import { canCancel, cancelBilling } from '../../domain/subscriptions/cancel-billing.ts';
import type { ShownSubscription } from '../../domain/subscriptions/subscription.ts';
import { type Deps, type Finish, now, type TransactionContext } from '../deps.ts';
import type { BegunOperation } from '../payments/run-operation.ts';
import { notInThisState } from '../refusal.ts';
import { findSubscriptionByKey, type SubscriptionKey } from './find-subscription.ts';
import { moveSubscription } from './move-subscription.ts';
import { finishShown } from './shown-subscription.ts';
import {
  type LockedSubscription,
  mayStop,
  sendCancellations,
  stopAll,
  withLockedPayments,
} from './stop-charges.ts';

export interface Cancellation {
  readonly key: SubscriptionKey;
  readonly reason: string | null;
  /** An earlier run of this request may have canceled the subscription. */
  readonly isRerun: boolean;
}

/**
 * Cancels a subscription: no charge follows, an unpaid charge is withdrawn, and a mandate is ended at the acquirer.
 * Access lasts to the end of the paid period. The cycle of a charge without an outcome stays open until the outcome is
 * known. Refusals: `not_found`; `wrong_state` if the subscription is canceled or has ended.
 */
export async function cancelSubscription<Answer>(
  deps: Deps,
  merchant: Merchant,
  cancellation: Cancellation,
  finish: Finish<ShownSubscription, Answer>,
): Promise<Answer> {
  const read = await findSubscriptionByKey(deps.db, merchant, cancellation.key);
  const canceled = await withLockedPayments(deps, merchant, read, async (context, locked) => {
    const sent = await cancel(context, locked, cancellation);
    if (sent.length > 0) return { sent };
    return { sent, answer: await finishShown(context, read.id, finish) };
  });
  if (canceled.answer !== undefined) return canceled.answer;
  await sendCancellations(deps, merchant, canceled.sent);
  return deps.db.transaction(merchant, (tx) => finishShown({ deps, tx, merchant }, read.id, finish));
}

/** Writes the cancellation. Returns what is to be sent to the acquirer. */
async function cancel(
  context: TransactionContext,
  locked: LockedSubscription,
  { reason, isRerun }: Cancellation,
): Promise<readonly BegunOperation[]> {
  const { subscription, latest } = locked;
  const { billing } = subscription;
  if (!canCancel(billing)) {
    if (isRerun && subscription.canceledAt !== null) return [];
    throw notInThisState(`A subscription that is ${billing.status} cannot be canceled.`);
  }
  const at = now(context.deps, context.merchant);
  const change = cancelBilling(billing, 'merchant', at, mayStop(latest));
  const isStopped = change.payment?.kind === 'withdraw' && latest !== null;
  let cancellations: readonly BegunOperation[] = [];
  await moveSubscription(context, subscription, change, {
    at,
    cancellationReason: reason,
    writePayments: async () => {
      cancellations = await stopAll(context, locked, { isStopped, at });
    },
  });
  return cancellations;
}
