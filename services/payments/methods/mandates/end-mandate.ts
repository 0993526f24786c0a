import { setMandateDue } from '../../../../db/payments/due-mandates.ts';
import { recurringDetails } from '../../../../domain/payments/methods/mandate-updates.ts';
import type { Payment } from '../../../../domain/payments/payment.ts';
import { mayMove } from '../../../../domain/payments/payment-moves.ts';
import type { PaymentOperation } from '../../../../domain/payments/payment-operation.ts';
import { now, type TransactionContext } from '../../../deps.ts';
import { movePayment } from '../../move-payment.ts';
import { nextTryAt } from '../../next-try.ts';
import { moveMandate } from './move-mandate.ts';

/** The acquirer has ended the mandate of a locked payment. A payment that waits for its payer is canceled with it. */
export async function applyMandateCancellation(
  context: TransactionContext,
  payment: Payment,
): Promise<Payment> {
  const at = now(context.deps, context.merchant);
  await moveMandate(context, recurringDetails(payment)!.mandateId, { move: 'cancel', by: 'acquirer', at });
  const isWaiting = payment.status === 'scheduled' || payment.status === 'waiting_payment';
  if (!isWaiting || !mayMove(payment, 'cancel')) return payment;
  return movePayment(context, payment, { by: 'acquirer', at }, { move: 'cancel' });
}

/** The acquirer has never received the cancellation of the mandate of a locked payment, so it is sent again. */
export async function repeatMandateCancellation(
  context: TransactionContext,
  payment: Payment,
  operation: PaymentOperation,
): Promise<Payment> {
  const { deps, tx, merchant } = context;
  const id = recurringDetails(payment)!.mandateId;
  const dueAt = await nextTryAt(context, operation, now(deps, merchant));
  await setMandateDue(tx, merchant, { id, dueAt });
  return payment;
}
