import { setMandateDue } from '../../../../db/payments/due-mandates.ts';
import { DAY_MS } from '../../../../domain/durations.ts';
import { recurringDetails } from '../../../../domain/payments/methods/mandate-updates.ts';
import type { Payment } from '../../../../domain/payments/payment.ts';
import { mayMove } from '../../../../domain/payments/payment-moves.ts';
import type { PaymentOperation } from '../../../../domain/payments/payment-operation.ts';
import { now, type TransactionContext } from '../../../deps.ts';
import type { FinalOutcome } from '../../final-outcome.ts';
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

/**
 * The acquirer has not ended the mandate of a locked payment. The cancellation is sent again: soon if the acquirer has
 * never received it, a day later if it may succeed then. Otherwise a person has to look into it.
 */
export async function applyRefusedMandateCancellation(
  context: TransactionContext,
  payment: Payment,
  operation: PaymentOperation,
  { refusal, isUnsent }: Extract<FinalOutcome, { kind: 'refused' }>,
): Promise<Payment> {
  const { deps, tx, merchant } = context;
  const id = recurringDetails(payment)!.mandateId;
  const at = now(deps, merchant);
  if (!isUnsent) {
    const { code, retryable } = refusal;
    const fields = {
      payment_id: payment.id,
      mandate_id: id,
      merchant_id: merchant.merchantId,
      code,
      retryable,
    };
    deps.log.warn(fields, 'the acquirer has refused to cancel a mandate');
    if (!retryable) return payment;
  }
  const dueAt = isUnsent ? await nextTryAt(context, operation, at) : new Date(at.getTime() + DAY_MS);
  await setMandateDue(tx, merchant, { id, dueAt });
  return payment;
}
