import type { Tx } from '../../db/engine/database.ts';
import { moveRefundRow } from '../../db/payments/refunds.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import { type Payment, type PaymentStatus, settledStatus } from '../../domain/payments/payment.ts';
import type { PaymentOperation } from '../../domain/payments/payment-operation.ts';
import { refundMachine } from '../../domain/payments/refund-moves.ts';
import { refundDenial } from '../../domain/payments/refusal-reasons.ts';
import type { Deps } from '../deps.ts';
import { now } from '../deps.ts';
import type { FinalOutcome } from './final-outcome.ts';
import { movePayment } from './move-payment.ts';

const DISPUTED: ReadonlySet<PaymentStatus> = new Set([
  'chargeback_requested',
  'chargeback_dispute',
  'chargeback_lost',
]);

/**
 * Ends a refund of a locked payment: what was reserved is given back or set free. An open dispute keeps the
 * payment's status; otherwise its amounts say where it stands.
 */
export async function settleRefund(
  deps: Deps,
  tx: Tx,
  merchant: Merchant,
  payment: Payment,
  operation: PaymentOperation,
  outcome: FinalOutcome,
): Promise<Payment> {
  const at = now(deps, merchant);
  const succeeded = outcome.kind === 'approved';
  const isMoved = await moveRefundRow(tx, merchant, {
    ...refundMachine.rowMove(succeeded ? 'succeed' : 'deny', 'acquirer'),
    id: operation.refundId!,
    denial: outcome.kind === 'refused' ? refundDenial(outcome.refusal.code) : null,
    at,
  });
  if (!isMoved)
    throw new Error(`The refund ${operation.refundId} was settled without the lock of its payment.`);
  const amounts = {
    captured_centavos: payment.captured_centavos,
    refunded_centavos: payment.refunded_centavos + (succeeded ? operation.amount_centavos : 0),
    refunding_centavos: payment.refunding_centavos - operation.amount_centavos,
  };
  const to = DISPUTED.has(payment.status) ? payment.status : settledStatus(amounts);
  return movePayment(deps, tx, merchant, payment, succeeded ? 'complete_refund' : 'deny_refund', {
    to,
    patch: amounts,
    at,
  });
}
