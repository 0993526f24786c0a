import type { Tx } from '../../db/engine/database.ts';
import { lockPayment } from '../../db/payments/payments.ts';
import { lockSubscription } from '../../db/subscriptions/subscriptions.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { mayMove } from '../../domain/payments/payment-moves.ts';
import type { Subscription } from '../../domain/subscriptions/subscription.ts';
import type { TransactionContext } from '../deps.ts';
import { movePayment } from '../payments/move-payment.ts';
import { requireRow } from '../refusal.ts';

/** A subscription with its latest payment, both locked. */
export interface LockedSubscription {
  readonly subscription: Subscription;
  /** Null before the first payment. */
  readonly payment: Payment | null;
}

/** Locks a subscription and its latest payment, the payment first, as the reports of the acquirer do. */
export async function lockWithPayment(
  tx: Tx,
  merchant: Merchant,
  { id, latestPaymentId }: Pick<Subscription, 'id' | 'latestPaymentId'>,
): Promise<LockedSubscription> {
  const lock = async (paymentId: string | null) =>
    paymentId === null ? null : requireRow(await lockPayment(tx, merchant, paymentId));
  const payment = await lock(latestPaymentId);
  const subscription = requireRow(await lockSubscription(tx, merchant, id));
  const isSame = subscription.latestPaymentId === latestPaymentId;
  // A charge was made since the subscription was read. A deadlock, which this order can cause, is retried.
  return { subscription, payment: isSame ? payment : await lock(subscription.latestPaymentId) };
}

/** Whether the state of the payment allows that it is withdrawn. */
export function mayWithdraw(payment: Payment | null): payment is Payment {
  return payment !== null && mayMove(payment, 'withdraw');
}

/**
 * Withdraws a locked payment that the customer has not paid. It is canceled at the acquirer by the job that runs the steps
 * of payments, within about a second. `at` is the merchant's time.
 */
export async function withdrawPayment(
  context: TransactionContext,
  payment: Payment | null,
  { by, at }: { readonly by: 'merchant' | 'acquirer'; readonly at: Date },
): Promise<void> {
  if (!mayWithdraw(payment)) return;
  await movePayment(context, payment, { by, at }, { move: 'withdraw', details: { dueAt: at } });
}
