import { lockPayment } from '../../db/payments/payments.ts';
import { lockSubscription } from '../../db/subscriptions/subscriptions.ts';
import { mayMove } from '../../domain/payments/payment-moves.ts';
import type { Billing } from '../../domain/subscriptions/billing.ts';
import { canCancel, cancelBilling } from '../../domain/subscriptions/cancel-billing.ts';
import type { BillingChange } from '../../domain/subscriptions/engine/change.ts';
import { nextStep } from '../../domain/subscriptions/engine/next-step.ts';
import { takeStep } from '../../domain/subscriptions/engine/take-step.ts';
import { authorizeMandate, rejectMandate } from '../../domain/subscriptions/mandate-outcome.ts';
import type { Subscription } from '../../domain/subscriptions/subscription.ts';
import type { MandateChange, MandateListener, TransactionContext } from '../deps.ts';
import { movePayment } from '../payments/move-payment.ts';
import { requireRow } from '../refusal.ts';
import { moveSubscription } from './move-subscription.ts';

/** Moves a subscription with the mandate that it is charged by, in the same transaction. */
export const subscriptionsOfMandates: MandateListener = {
  async changed(context, change) {
    const { tx, merchant } = context;
    const { after, move, at } = change;
    const subscription = requireRow(await lockSubscription(tx, merchant, after.subscriptionId));
    if (subscription.mandateId !== after.id) return;
    const billingChange = billingChangeOf(subscription.billing, change);
    if (billingChange === null) return;
    const cancellationReason = move === 'cancel' ? after.cancellationCode : null;
    await moveSubscription(context, subscription, billingChange, { at, cancellationReason });
    if (billingChange.payment?.kind === 'withdraw') await dropScheduled(context, subscription, at);
  },
};

/** What a change of its mandate changes in a subscription; null if nothing. */
function billingChangeOf(billing: Billing, { move, by, at }: MandateChange): BillingChange | null {
  switch (move) {
    case 'authorize':
      return authorizeMandate(billing);
    case 'reject':
      return rejectMandate(billing);
    case 'expire': {
      const step = nextStep(billing);
      return step?.kind === 'expire_mandate' ? takeStep(billing, step, at) : null;
    }
    case 'cancel':
      return canCancel(billing) ? cancelBilling(billing, by === 'merchant' ? by : 'acquirer', at) : null;
  }
}

/**
 * Cancels the charge that is not sent yet. The acquirer itself cancels charges that were sent. A charge that is not sent is
 * locked only by transactions that have locked its subscription, so this order of locks cannot cause a deadlock.
 */
async function dropScheduled(
  context: TransactionContext,
  { latestPaymentId }: Subscription,
  at: Date,
): Promise<void> {
  const { tx, merchant } = context;
  const payment = latestPaymentId === null ? undefined : await lockPayment(tx, merchant, latestPaymentId);
  if (payment?.cycle == null || !mayMove(payment, 'drop')) return;
  await movePayment(context, payment, { by: 'acquirer', at }, { move: 'drop' });
}
