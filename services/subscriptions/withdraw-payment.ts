import type { Payment } from '../../domain/payments/payment.ts';
import { mayMove } from '../../domain/payments/payment-moves.ts';
import type { TransactionContext } from '../deps.ts';
import { movePayment } from '../payments/move-payment.ts';

/** Whether a payment can be withdrawn in its state. */
export function mayWithdraw(payment: Payment | null): payment is Payment {
  return payment !== null && mayMove(payment, 'withdraw');
}

/**
 * Stops a locked payment of a cycle that must not be paid any more. A payment that was not sent is canceled at once. Any other
 * is withdrawn. `at` is the merchant's time.
 */
export async function stopUnwanted(context: TransactionContext, payment: Payment, at: Date): Promise<void> {
  if (mayMove(payment, 'drop')) await movePayment(context, payment, { by: 'acquirer', at }, { move: 'drop' });
  else await withdrawPayment(context, payment, { by: 'acquirer', at });
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
