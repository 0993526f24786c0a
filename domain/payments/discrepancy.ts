/**
 * Why a report of the acquirer does not fit our records: the name in logs and metrics, and the sentence for operators.
 */
export const DISCREPANCY_REASONS = {
  method_missing: 'It names no payment method.',
  method_mismatch: 'It names another payment method.',
  operation_mismatch: 'Its reference belongs to an operation of another kind.',
  amount_missing: 'It names no amount.',
  amount_mismatch: 'It names another amount.',
  barcode_mismatch: 'Its barcode has another amount or due date, or is not valid.',
  credential_missing: 'It approves the first charge of a wallet without the credential for the next ones.',
  approved_after_refusal: 'It approves what was refused before.',
  refused_after_approval: 'It refuses what was approved before.',
  paid_twice: 'It reports a second transfer for a payment that is paid.',
  cycle_paid_twice: 'It reports money for a billing cycle that another payment has paid.',
  cycle_charged: 'It reports money for a billing cycle that another payment charges, without an outcome.',
  transfer_reused: 'Its transfer has paid another payment.',
  notification_id_reused: 'Its notification has the id of another one, which was received before.',
  not_disputable: 'Payments by this method cannot be disputed.',
  illegal_move: 'The status of the payment does not allow it.',
  settlement_unknown: 'The settlement file names what the ledger does not have.',
  settlement_doubled: 'The settlement file names it more often than the ledger.',
  settlement_amount_mismatch: 'The settlement file names another amount than the ledger.',
  settlement_missing: 'No settlement file names what the ledger has.',
} as const satisfies Record<string, string>;

export type DiscrepancyReason = keyof typeof DISCREPANCY_REASONS;

export type DiscrepancySource = 'notification' | 'answer' | 'inquiry' | 'settlement_file';
export type DiscrepancyStatus = 'open' | 'closed';

/** The values of one side, the acquirer's report or our record. Only texts and whole numbers, and never card data. */
export type DiscrepancySide = Readonly<Record<string, string | number | null>>;

/** A report of the acquirer that does not fit our records. Times are wall time. */
export interface Discrepancy {
  readonly id: string;
  readonly merchantId: string;
  readonly source: DiscrepancySource;
  readonly reason: DiscrepancyReason;
  readonly paymentId: string | null;
  readonly operationId: string | null;
  readonly reference: string;
  readonly reported: DiscrepancySide;
  readonly recorded: DiscrepancySide;
  readonly status: DiscrepancyStatus;
  readonly note: string | null;
  readonly createdAt: Date;
  readonly closedAt: Date | null;
}
