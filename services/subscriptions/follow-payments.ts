import { lockSubscription } from '../../db/subscriptions/subscriptions.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import type { Billing } from '../../domain/subscriptions/billing.ts';
import type { BillingChange } from '../../domain/subscriptions/engine/change.ts';
import { type AttemptOutcome, settleAttempt } from '../../domain/subscriptions/engine/settle-attempt.ts';
import { DUNNING_DAYS } from '../../domain/subscriptions/retry-days.ts';
import { revokeBilling } from '../../domain/subscriptions/revoke-billing.ts';
import type { PaymentChange, PaymentListener } from '../deps.ts';
import { requireRow } from '../refusal.ts';
import { moveSubscription } from './move-subscription.ts';

/**
 * Settles the billing cycle of a payment with the payment, in the same transaction. The payment is locked before its
 * subscription.
 */
export const subscriptionsOfPayments: PaymentListener = {
  async changed(context, change) {
    const { subscriptionId } = change.after;
    if (subscriptionId === null) return;
    const { tx, merchant } = context;
    const subscription = requireRow(await lockSubscription(tx, merchant, subscriptionId));
    const isLatest = subscription.latestPaymentId === change.after.id;
    const dunningDays = merchant.dunningDays ?? DUNNING_DAYS;
    const billingChange = billingChangeOf(subscription.billing, change, { isLatest, dunningDays });
    if (billingChange === null) return;
    const details = { at: change.at, ...(isLatest && { payment: change.after }) };
    await moveSubscription(context, subscription, billingChange, details);
  },
};

/** What a change of a payment changes in its subscription; null if nothing. */
function billingChangeOf(
  billing: Billing,
  change: PaymentChange,
  { isLatest, dunningDays }: { readonly isLatest: boolean; readonly dunningDays: readonly number[] },
): BillingChange | null {
  const { before, after, at } = change;
  const { cycle } = after;
  if (cycle === null) return null;
  if (isRevoked(after) && !isRevoked(before)) return revokeBilling(billing, cycle, at);
  const outcome = outcomeOf(change);
  if (outcome === null || billing.openCycle?.cycle !== cycle) return null;
  // Money also counts if it pays an earlier attempt of the cycle.
  if (outcome.kind !== 'paid' && !isLatest) return null;
  return settleAttempt(billing, outcome, { now: at, dunningDays });
}

function isRevoked({ status }: Payment): boolean {
  return status === 'refunded' || status === 'chargeback_lost';
}

function outcomeOf({ before, after, transitions }: PaymentChange): AttemptOutcome | null {
  if (before.captured_centavos === 0 && after.captured_centavos > 0) return { kind: 'paid' };
  if (before.status === after.status) return null;
  switch (after.status) {
    case 'refused':
      if (transitions.some(({ details }) => details?.isUnsent)) return { kind: 'not_sent' };
      return { kind: 'refused', mayRetry: after.refusal?.retryable ?? true };
    case 'canceled':
      return { kind: 'refused', mayRetry: true };
    case 'expired':
      return { kind: 'expired' };
    default:
      return null;
  }
}
