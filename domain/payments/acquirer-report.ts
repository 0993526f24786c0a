import type { PaymentMethod } from '../merchants/payment-methods.ts';
import type { DiscrepancyReason } from './discrepancy.ts';
import type { DisputeNotice } from './dispute-notice.ts';
import { paidBy } from './methods/index.ts';
import {
  isMandateUpdate,
  type MandateNotice,
  type MandateUpdate,
  moveOfMandateUpdate,
} from './methods/mandate-updates.ts';
import type { Payment } from './payment.ts';
import type { PaymentMove } from './payment-moves.ts';
import type { OperationKind, OperationState } from './payment-operation.ts';

/** The fields that every report of the acquirer has. */
interface ReportBase {
  /** The payment methods that the report can be about; null if it does not name its method. */
  readonly methods: readonly PaymentMethod[] | null;
  readonly amount_centavos: number | null;
}

/** The result of an operation, from an answer, an inquiry or a notification. */
export interface OperationResult extends ReportBase {
  readonly operation: OperationKind;
  readonly result: 'approved' | 'refused' | 'pending';
}

/**
 * A change of a payment that the acquirer reports, and that we did not request: a charge was paid, or a dispute was
 * opened.
 */
export interface AcquirerUpdate extends ReportBase {
  readonly update: UpdateName;
  /** Identifies the transfer that paid a charge. Null for methods whose transfers have no id. */
  readonly endToEndId: string | null;
  /** When it happened, by the acquirer's clock. */
  readonly occurredAt: Date;
  /** Set in reports about a dispute. */
  readonly dispute?: DisputeNotice | undefined;
  /** Set in reports about a mandate of Pix Automático, and about the payment that authorized it. */
  readonly mandate?: MandateNotice | undefined;
}

/** The moves that updates request. Those of a paid charge and of a mandate depend on the payment (`moveOfUpdate`). */
const MOVE_OF_UPDATE = {
  charge_refused: 'refuse',
  charge_expired: 'expire',
  fraud_detected: 'suspect_fraud',
  voided: 'cancel',
  chargeback_requested: 'request_chargeback',
  chargeback_dispute: 'dispute_chargeback',
  chargeback_won: 'win_chargeback',
  chargeback_lost: 'lose_chargeback',
} as const satisfies Record<string, PaymentMove>;

export type UpdateName = keyof typeof MOVE_OF_UPDATE | 'charge_paid' | MandateUpdate;

/** The move of a payment that an update requests. */
export function moveOfUpdate(update: UpdateName, payment: PaymentOnRecord): PaymentMove {
  if (isMandateUpdate(update)) return moveOfMandateUpdate(update, payment);
  return update === 'charge_paid' ? paidBy(payment) : MOVE_OF_UPDATE[update];
}

/** Our record of the payment that a report is about. */
export type PaymentOnRecord = Pick<
  Payment,
  | 'status'
  | 'pendingOperation'
  | 'method'
  | 'details'
  | 'amount_centavos'
  | 'captured_centavos'
  | 'refusal'
  | 'history'
>;

/** Our record of the operation whose reference the report has. */
export interface OperationOnRecord {
  readonly kind: OperationKind;
  readonly state: OperationState;
  readonly amount_centavos: number;
  readonly refusalCode: string | null;
}

/**
 * What to do with a report.
 * - apply: it is new and fits our records.
 * - known: it changes nothing.
 * - wait: an earlier report or outcome is missing, and may never arrive. After `limit_ms`, the report counts as a
 *   discrepancy for `reason`. `limit_ms` null: the outcome is always found in the end.
 * - discrepancy: it contradicts our records.
 */
export type Verdict =
  | { readonly verdict: 'apply' }
  | { readonly verdict: 'known' }
  | { readonly verdict: 'wait'; readonly limit_ms: number; readonly reason: DiscrepancyReason }
  | { readonly verdict: 'wait'; readonly limit_ms: null }
  | { readonly verdict: 'discrepancy'; readonly reason: DiscrepancyReason };

export const APPLY: Verdict = { verdict: 'apply' };
export const KNOWN: Verdict = { verdict: 'known' };

export function discrepancy(reason: DiscrepancyReason): Verdict {
  return { verdict: 'discrepancy', reason };
}

/** The discrepancy if a report does not name the method of the payment; null if it does. */
export function methodDiscrepancy({ methods }: ReportBase, { method }: PaymentOnRecord): Verdict | null {
  if (methods === null) return discrepancy('method_missing');
  return methods.includes(method) ? null : discrepancy('method_mismatch');
}
