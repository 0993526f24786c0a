import {
  type AcquirerUpdate,
  APPLY,
  discrepancy,
  KNOWN,
  type PaymentOnRecord,
  type Verdict,
} from './acquirer-report.ts';
import { mayMove } from './payment-moves.ts';

/** A dispute of a payment, to find the one that a report names. */
export interface DisputeOnRecord {
  /** The acquirer's id of it; null if it named none. */
  readonly reference: string | null;
  readonly state: 'open' | 'won' | 'lost';
}

/** What is known of the disputes of a payment. */
export interface NamedDisputes {
  readonly disputes: readonly DisputeOnRecord[];
  /**
   * Whether the request of a dispute still waits for the dispute that the payment had before. That one may never be
   * recorded: its reports are lost, or became discrepancies.
   */
  readonly isPreviousAwaited: boolean;
}

/** Whether all disputes of a payment are on record with the acquirer's ids of them. */
export function haveReferences(
  { status }: Pick<PaymentOnRecord, 'status'>,
  disputes: readonly DisputeOnRecord[],
): boolean {
  // During an update of the service, a process of the version before can open a dispute without its row.
  const isRecorded = disputes.some(({ state }) => state !== 'won');
  if (status.startsWith('chargeback_') && !isRecorded) return false;
  return disputes.every(({ reference }) => reference !== null);
}

/**
 * Compares a report that names its dispute with the disputes on record. `early` is the verdict on one whose earlier
 * report may still be missing. Null if the times of the reports must decide: the report names no dispute, or one of
 * those on record has no reference.
 */
export function judgeNamedDispute(
  { update, dispute }: AcquirerUpdate,
  payment: PaymentOnRecord,
  { disputes, isPreviousAwaited }: NamedDisputes,
  early: Verdict,
): Verdict | null {
  const reference = dispute?.reference ?? null;
  if (reference === null || !haveReferences(payment, disputes)) return null;
  const named = disputes.find((one) => one.reference === reference);
  if (update === 'chargeback_requested') {
    if (named !== undefined) return KNOWN;
    const previous = dispute?.previousReference ?? null;
    const isPreviousMissing = previous !== null && disputes.every((one) => one.reference !== previous);
    if (isPreviousMissing && isPreviousAwaited) return early;
    // A payment has one open dispute at a time: the end of the other one was not reported yet.
    if (disputes.some(({ state }) => state === 'open')) return early;
    if (disputes.some(({ state }) => state === 'lost')) return discrepancy('illegal_move');
    return mayMove(payment, 'request_chargeback') ? APPLY : null;
  }
  // A payment that was never captured, or is fully refunded, may have no dispute.
  if (named === undefined) {
    return payment.captured_centavos > 0 && payment.status !== 'refunded' ? early : null;
  }
  switch (named.state) {
    case 'open':
      return APPLY;
    case 'won':
      return update === 'chargeback_lost' ? discrepancy('illegal_move') : KNOWN;
    case 'lost':
      return update === 'chargeback_won' ? discrepancy('illegal_move') : KNOWN;
  }
}
