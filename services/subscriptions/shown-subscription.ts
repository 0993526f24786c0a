import type { Queryable } from '../../db/engine/database.ts';
import { findPayments } from '../../db/subscriptions/subscription-payments.ts';
import { lockSubscription } from '../../db/subscriptions/subscriptions.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import { planNamed } from '../../domain/merchants/plans.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { type Billing, type Plan, planAhead } from '../../domain/subscriptions/billing.ts';
import { nextCharge } from '../../domain/subscriptions/engine/next-charge.ts';
import type { ShownSubscription, Subscription } from '../../domain/subscriptions/subscription.ts';
import { isClosed } from '../../domain/subscriptions/subscription-status.ts';
import type { Finish, TransactionContext } from '../deps.ts';
import { requireRow } from '../refusal.ts';

/** A subscription with its latest payment, as a merchant reads it. */
export function shownSubscription(
  merchant: Merchant,
  subscription: Subscription,
  payment: Payment | null,
): ShownSubscription {
  const { billing, pendingMandate, pendingUpgrade } = subscription;
  return {
    subscription,
    payment,
    pendingPlan: pendingPlan(billing),
    requestedPlan: pendingMandate?.plan ?? pendingUpgrade?.plan ?? null,
    nextCharge: nextCharge(billing),
    fee: planNamed(merchant.plan).fees[billing.method],
  };
}

/** A plan for the next cycle is pending until the billing date, also when the cycle is charged before. */
function pendingPlan(billing: Billing): Plan | null {
  const ahead = planAhead(billing);
  return ahead === billing.plan || isClosed(billing.status) ? null : ahead;
}

/** The same for stored subscriptions. */
export async function showSubscriptions(
  q: Queryable,
  merchant: Merchant,
  subscriptions: readonly Subscription[],
): Promise<ShownSubscription[]> {
  const ids = subscriptions.map(shownPaymentId).filter((id) => id !== null);
  const payments = await findPayments(q, merchant, ids);
  return subscriptions.map((subscription) =>
    shownSubscription(merchant, subscription, payments.get(shownPaymentId(subscription) ?? '') ?? null),
  );
}

/** The latest payment, or that of a pending mandate: it has the QR code that the payer needs. */
export function shownPaymentId({ pendingMandate, latestPaymentId }: Subscription): string | null {
  return pendingMandate?.paymentId ?? latestPaymentId;
}

/** Finishes with a stored subscription as it is now, and with one of its payments in place of the latest one. */
export async function finishWithPayment<Answer>(
  { tx, merchant }: TransactionContext,
  { id, paymentId }: { readonly id: string; readonly paymentId: string },
  finish: Finish<ShownSubscription, Answer>,
): Promise<Answer> {
  const subscription = requireRow(await lockSubscription(tx, merchant, id));
  const payment = (await findPayments(tx, merchant, [paymentId])).get(paymentId);
  return finish(tx, shownSubscription(merchant, subscription, requireRow(payment)));
}

/** Finishes with a stored subscription as it is now. */
export async function finishShown<Answer>(
  { tx, merchant }: TransactionContext,
  id: string,
  finish: Finish<ShownSubscription, Answer>,
): Promise<Answer> {
  const subscription = requireRow(await lockSubscription(tx, merchant, id));
  const [shown] = await showSubscriptions(tx, merchant, [subscription]);
  return finish(tx, shown!);
}
