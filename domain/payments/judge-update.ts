import { HOUR_MS, MINUTE_MS } from '../durations.ts';
import { subtractedRefunds, type TimedRefund } from '../ledger/disputed-amount.ts';
import {
  type AcquirerUpdate,
  APPLY,
  discrepancy,
  KNOWN,
  methodDiscrepancy,
  moveOfUpdate,
  type OperationOnRecord,
  type PaymentOnRecord,
  type UpdateName,
  type Verdict,
} from './acquirer-report.ts';
import type { DiscrepancyReason } from './discrepancy.ts';
import { judgeNamedDispute, type NamedDisputes } from './judge-dispute.ts';
import { mayBeDisputed, mayBePaidLate, paidAt, transferId } from './methods/index.ts';
import {
  isEndBeforeAuthorization,
  isMandateUpdate,
  isMandateUpdateKnown,
} from './methods/mandate-updates.ts';
import { firstPaidAt } from './payment.ts';
import { mayMove } from './payment-moves.ts';
import { isFirstOperation } from './payment-operation.ts';

/**
 * How long a notification waits for an earlier one that may never arrive. The acquirer sends both again within minutes
 * (`gateway/wire.ts`).
 */
export const LONGEST_WAIT_MS = 10 * MINUTE_MS;

/**
 * How long the report of a paid charge waits for the outcome of another charge of its cycle. It ends well before the
 * acquirer stops sending the report (`gateway/wire.ts`: after two hours or more), so that the money is never left
 * without a record.
 */
const LONGEST_CHARGE_MS = HOUR_MS;

/** What `judgeUpdate` needs to know in addition to the payment and the operation. */
export interface UpdateContext extends NamedDisputes {
  /** Whether an authorization, charge, capture or cancellation has no outcome yet. */
  readonly hasOpenOperation: boolean;
  /** Whether the transfer that the report names has paid another payment. */
  readonly isTransferUsed: boolean;
  /** Whether another payment has paid the billing cycle of the payment. */
  readonly isCyclePaid: boolean;
  /** Whether another payment charges that cycle now, and its outcome is not known. Both must not be paid. */
  readonly isCycleBeingCharged: boolean;
  /**
   * Whether the charge was canceled together with its mandate, whose end is still to be reported. That report comes
   * first: else the charge would count as one that failed, and would be retried.
   */
  readonly isMandateEndAwaited: boolean;
  /** All refunds of the payment, if the update is about a chargeback. */
  readonly refunds: readonly TimedRefund[];
}

/**
 * Compares an update of a payment with our records: method, amount and the legal moves. `operation` has the reference
 * of the report, and must be the payment's authorization or charge.
 */
export function judgeUpdate(
  report: AcquirerUpdate,
  payment: PaymentOnRecord,
  operation: OperationOnRecord,
  context: UpdateContext,
): Verdict {
  const ofOtherMethod = methodDiscrepancy(report, payment);
  if (ofOtherMethod !== null) return ofOtherMethod;
  if (!isFirstOperation(operation.kind)) return discrepancy('operation_mismatch');
  if (isChargeback(report.update) && !mayBeDisputed(payment)) return discrepancy('not_disputable');
  if (isMandateUpdate(report.update) && operation.kind !== 'mandate')
    return discrepancy('operation_mismatch');
  if (report.amount_centavos === null) return discrepancy('amount_missing');
  if (!namesAmount(report, payment, context)) return discrepancy('amount_mismatch');
  if (report.update === 'charge_paid' && isOtherTransfer(report, payment)) return discrepancy('paid_twice');
  if (report.update === 'charge_paid' && context.isTransferUsed) return discrepancy('transfer_reused');
  if (isChargeback(report.update)) {
    const early = waitAtMost(LONGEST_WAIT_MS, 'illegal_move');
    const named = judgeNamedDispute(report, payment, context, early);
    if (named !== null) return named;
  }
  if (isKnown(report, payment)) return KNOWN;
  if (report.update === 'charge_paid' && context.isCyclePaid) return discrepancy('cycle_paid_twice');
  if (report.update === 'charge_paid' && context.isCycleBeingCharged) {
    return waitAtMost(LONGEST_CHARGE_MS, 'cycle_charged');
  }
  if (isMandateUpdate(report.update) && isEndBeforeAuthorization(report.update, report.mandate, payment)) {
    return waitAtMost(LONGEST_WAIT_MS, 'illegal_move');
  }
  if (context.isMandateEndAwaited) return waitAtMost(LONGEST_WAIT_MS, 'illegal_move');
  if (mayMove(payment, moveOfUpdate(report.update, payment))) return APPLY;
  if (context.hasOpenOperation || payment.status === 'processing' || payment.status === 'scheduled') {
    return { verdict: 'wait', limit_ms: null };
  }
  if (mayBeEarly(report.update, payment)) return waitAtMost(LONGEST_WAIT_MS, 'illegal_move');
  return discrepancy('illegal_move');
}

function waitAtMost(limit_ms: number, reason: DiscrepancyReason): Verdict {
  return { verdict: 'wait', limit_ms, reason };
}

/**
 * A chargeback has the amount that was captured and not refunded when it occurred (`subtractedRefunds`). All other
 * updates have the amount of the payment.
 */
function namesAmount(report: AcquirerUpdate, payment: PaymentOnRecord, context: UpdateContext): boolean {
  const amount_centavos = report.amount_centavos!;
  if (!isChargeback(report.update)) return amount_centavos === payment.amount_centavos;
  if (amount_centavos === 0) return false;
  // A payment that was never captured has no amount to compare. Its status decides.
  if (payment.captured_centavos === 0) return amount_centavos <= payment.amount_centavos;
  const disputed = { amount_centavos, occurredAt: report.occurredAt };
  return subtractedRefunds(disputed, payment, context.refunds) !== null;
}

/** Whether the report is about another transfer than the one that has paid the payment. */
function isOtherTransfer({ endToEndId, occurredAt }: AcquirerUpdate, payment: PaymentOnRecord): boolean {
  const [id, at] = [transferId(payment), paidAt(payment)];
  const isOtherTime = at !== null && at.getTime() !== occurredAt.getTime();
  return isOtherTime || (id !== null && endToEndId !== null && id !== endToEndId);
}

/** Whether the update changes nothing: it was reported before, or a later update arrived first. */
function isKnown({ update, occurredAt }: AcquirerUpdate, payment: PaymentOnRecord): boolean {
  const { status } = payment;
  const isDisputed = status.startsWith('chargeback_');
  if (isMandateUpdate(update)) return isMandateUpdateKnown(update, payment);
  switch (update) {
    case 'charge_paid':
      return payment.captured_centavos > 0;
    case 'charge_refused':
      // A charge that expired by our clock may have been refused at the acquirer before. No money moves either way.
      return status === 'refused' || status === 'expired';
    case 'charge_expired':
      // The charge expired and was paid late, and the two reports arrived in the other order.
      return status === 'expired' || mayHaveExpiredBefore(occurredAt, payment);
    case 'fraud_detected':
      return payment.refusal?.code === 'fraud';
    case 'voided':
      return status === 'canceled';
    case 'chargeback_requested':
      // After a dispute has ended, a copy of its request changes nothing. A later request is a new dispute.
      return (
        isDisputed || isBeforeDisputeEnded(occurredAt, payment) || isBeforeFullRefund(occurredAt, payment)
      );
    case 'chargeback_dispute':
      return (
        status === 'chargeback_lost' ||
        (!isDisputed && wasDisputed(payment)) ||
        isBeforeFullRefund(occurredAt, payment)
      );
    case 'chargeback_won':
      return (!isDisputed && wasDisputed(payment)) || isBeforeFullRefund(occurredAt, payment);
    case 'chargeback_lost':
      return status === 'chargeback_lost';
  }
}

/** Whether an earlier report may still be missing: the request of a dispute, or the payment of a charge. */
function mayBeEarly(update: UpdateName, payment: PaymentOnRecord): boolean {
  if (!isChargeback(update)) return false;
  if (payment.captured_centavos > 0) return update !== 'chargeback_requested' && !wasDisputed(payment);
  return payment.status === 'waiting_payment' || payment.status === 'expired';
}

function isChargeback(update: UpdateName): boolean {
  return update.startsWith('chargeback_');
}

/**
 * Whether a charge that is paid may have expired at this time, before it was paid. Both are times of the acquirer's
 * clock, which may differ from ours, unless the time of the payment is not known.
 */
function mayHaveExpiredBefore(at: Date, payment: PaymentOnRecord): boolean {
  const recorded = firstPaidAt(payment);
  return mayBePaidLate(payment) && recorded !== undefined && at <= (paidAt(payment) ?? recorded);
}

function wasDisputed({ history }: PaymentOnRecord): boolean {
  return history.some((step) => step.status === 'chargeback_requested');
}

/** Whether a time is not after the end of the payment's last dispute. False without a dispute, or during one. */
export function isBeforeDisputeEnded(at: Date, { history }: Pick<PaymentOnRecord, 'history'>): boolean {
  const last = history.findLastIndex((step) => step.status.startsWith('chargeback_'));
  const end = last === -1 ? undefined : history[last + 1];
  return end !== undefined && at <= end.at;
}

/**
 * Whether a time is not after the full refund of a payment. The acquirer refuses refunds during a dispute, so one that
 * was requested before has been won, and its late reports change nothing. One that was lost contradicts the refund.
 */
function isBeforeFullRefund(at: Date, { status, history }: PaymentOnRecord): boolean {
  const refunded = history.findLast((step) => step.status === 'refunded');
  return status === 'refunded' && refunded !== undefined && at <= refunded.at;
}
