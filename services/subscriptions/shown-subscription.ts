import type { Queryable } from '../../db/engine/database.ts';
import { findPayments } from '../../db/subscriptions/subscription-payments.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import { planNamed } from '../../domain/merchants/plans.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { nextCharge } from '../../domain/subscriptions/engine/next-charge.ts';
import type { ShownSubscription, Subscription } from '../../domain/subscriptions/subscription.ts';

/** A subscription with its latest payment, as a merchant reads it. */
export function shownSubscription(
  merchant: Merchant,
  subscription: Subscription,
  payment: Payment | null,
): ShownSubscription {
  const { billing } = subscription;
  const fee = planNamed(merchant.plan).fees[billing.method];
  return { subscription, payment, nextCharge: nextCharge(billing), fee };
}

/** The same for stored subscriptions. */
export async function showSubscriptions(
  q: Queryable,
  merchant: Merchant,
  subscriptions: readonly Subscription[],
): Promise<ShownSubscription[]> {
  const ids = subscriptions.map(({ latestPaymentId }) => latestPaymentId).filter((id) => id !== null);
  const payments = await findPayments(q, merchant, ids);
  return subscriptions.map((subscription) =>
    shownSubscription(merchant, subscription, payments.get(subscription.latestPaymentId ?? '') ?? null),
  );
}
