import {
  APPLY,
  discrepancy,
  KNOWN,
  namesMethod,
  type OperationOnRecord,
  type OperationResult,
  type PaymentOnRecord,
  type Verdict,
} from './acquirer-report.ts';
import { mayMove } from './payment-moves.ts';
import type { OperationKind } from './payment-operation.ts';

/**
 * The gate for every result of an operation: compares method, kind, amount, the state of the operation and the legal
 * moves of the payment. A result that passes for a pending operation settles it.
 */
export function judgeResult(
  report: OperationResult,
  payment: PaymentOnRecord,
  operation: OperationOnRecord,
): Verdict {
  if (!namesMethod(report, payment)) return discrepancy('method_mismatch');
  if (report.operation !== operation.kind) return discrepancy('operation_mismatch');
  if (report.amount_centavos === null) return discrepancy('amount_missing');
  if (report.amount_centavos !== operation.amount_centavos) return discrepancy('amount_mismatch');
  if (report.result === 'pending' || report.result === operation.state) return KNOWN;
  if (operation.state === 'pending') {
    return fitsPayment(report.operation, report.result, payment) ? APPLY : discrepancy('illegal_move');
  }
  if (operation.state === 'approved') return discrepancy('refused_after_approval');
  // The acquirer approved the authorization and suspected fraud later; the reports arrived the other way round.
  const wasFraud = operation.kind === 'authorize' && operation.refusalCode === 'fraud';
  return wasFraud && !takesMoney(payment) ? KNOWN : discrepancy('approved_after_refusal');
}

/**
 * Whether the payment can be where this result of a pending operation says. News that overtook the result may have
 * moved the payment already, as long as both agree on whether money was taken.
 */
function fitsPayment(kind: OperationKind, result: 'approved' | 'refused', payment: PaymentOnRecord): boolean {
  const { status, captured_centavos } = payment;
  const isApproved = result === 'approved';
  switch (kind) {
    case 'authorize':
      // Money that was taken cannot have been released before, nor refused.
      if (isApproved && takesMoney(payment)) return mayMove(payment, 'authorize');
      return isApproved || captured_centavos === 0;
    case 'pix_charge':
      return isApproved || captured_centavos === 0;
    case 'capture':
      return isApproved ? mayMove(payment, 'capture') : captured_centavos === 0;
    case 'cancel':
      return !isApproved || mayMove(payment, 'cancel') || status === 'canceled';
    case 'refund':
      return mayMove(payment, isApproved ? 'complete_refund' : 'deny_refund');
  }
}

/** Whether the approval of its authorization captures the payment at once. */
function takesMoney({ card }: PaymentOnRecord): boolean {
  return card !== null && !card.manualCapture;
}
