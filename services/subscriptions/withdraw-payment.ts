import type { Payment } from '../../domain/payments/payment.ts';
import { mayMove } from '../../domain/payments/payment-moves.ts';
import type { TransactionContext } from '../deps.ts';
import { movePayment } from '../payments/move-payment.ts';

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
