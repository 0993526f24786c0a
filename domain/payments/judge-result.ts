import {
  APPLY,
  discrepancy,
  KNOWN,
  methodDiscrepancy,
  type OperationOnRecord,
  type OperationResult,
  type PaymentOnRecord,
  type Verdict,
} from './acquirer-report.ts';
import { capturesOnApproval } from './methods/index.ts';
import { mayMove } from './payment-moves.ts';
import type { OperationKind } from './payment-operation.ts';

/**
 * Compares the result of an operation with our records: method, kind, amount, the state of the operation and the legal
 * moves of the payment. A pending operation is settled by a result with the verdict `apply`.
 */
export function judgeResult(
  report: OperationResult,
  payment: PaymentOnRecord,
  operation: OperationOnRecord,
): Verdict {
  const ofOtherMethod = methodDiscrepancy(report, payment);
  if (ofOtherMethod !== null) return ofOtherMethod;
  if (report.operation !== operation.kind) return discrepancy('operation_mismatch');
  if (report.amount_centavos === null) return discrepancy('amount_missing');
  if (report.amount_centavos !== operation.amount_centavos) return discrepancy('amount_mismatch');
  if (report.result === 'pending' || report.result === operation.state) return KNOWN;
  if (operation.state === 'pending') {
    return fitsPayment(report.operation, report.result, payment) ? APPLY : discrepancy('illegal_move');
  }
  if (operation.state === 'approved') return discrepancy('refused_after_approval');
  // The acquirer approved the authorization and suspected fraud later, and the reports arrived in the other order.
  const wasFraud = operation.kind === 'authorize' && operation.refusalCode === 'fraud';
  return wasFraud && !capturesOnApproval(payment) ? KNOWN : discrepancy('approved_after_refusal');
}

/**
 * Whether the payment allows this result of a pending operation. An update that arrived before the result may have
 * moved the payment already. Both must then agree on whether money was captured.
 */
function fitsPayment(kind: OperationKind, result: 'approved' | 'refused', payment: PaymentOnRecord): boolean {
  const { status, captured_centavos } = payment;
  const isApproved = result === 'approved';
  switch (kind) {
    case 'capture':
      return isApproved ? mayMove(payment, 'capture') : captured_centavos === 0;
    case 'cancel':
      return !isApproved || mayMove(payment, 'cancel') || status === 'canceled';
    case 'cancel_mandate':
      // The mandate changes, whatever its payment is.
      return true;
    case 'refund':
      return mayMove(payment, isApproved ? 'complete_refund' : 'deny_refund');
    default:
      // A payment that was captured at once cannot have been released or refused before.
      if (isApproved && capturesOnApproval(payment)) return mayMove(payment, 'authorize');
      return isApproved || captured_centavos === 0;
  }
}
