import { moveRefundRow } from '../../db/payments/refunds.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import type { PaymentOperation } from '../../domain/payments/payment-operation.ts';
import { refundMachine } from '../../domain/payments/refund-moves.ts';
import { refundDenial } from '../../domain/payments/refusal-reasons.ts';
import { now, type TransactionContext } from '../deps.ts';
import type { FinalOutcome } from './final-outcome.ts';
import { movePayment } from './move-payment.ts';

/** Ends a refund of a locked payment. Its reserved amount is then refunded, or can be refunded again. */
export async function settleRefund(
  context: TransactionContext,
  payment: Payment,
  operation: PaymentOperation,
  outcome: FinalOutcome,
): Promise<Payment> {
  const { deps, tx, merchant } = context;
  const { refundId, amount_centavos, reference } = operation;
  const at = now(deps, merchant);
  const succeeded = outcome.kind === 'approved';
  const isMoved = await moveRefundRow(tx, merchant, {
    ...refundMachine.rowMove(succeeded ? 'succeed' : 'deny', 'acquirer'),
    id: refundId!,
    denial: outcome.kind === 'refused' ? refundDenial(outcome.refusal) : null,
    at,
  });
  if (!isMoved) throw new Error(`The refund ${refundId} was settled without the lock of its payment.`);
  const move = succeeded ? 'complete_refund' : 'deny_refund';
  return movePayment(context, payment, { by: 'acquirer', at }, { move, amount_centavos, reference });
}
