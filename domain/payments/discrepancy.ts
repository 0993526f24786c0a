/** Why a report of the acquirer is not believed, by its name in logs, metrics and the operator's list. */
export const DISCREPANCY_REASONS = {
  method_mismatch: 'It names another payment method.',
  operation_mismatch: 'Its reference belongs to an operation of another kind.',
  amount_missing: 'It names no amount.',
  amount_mismatch: 'It names another amount.',
  approved_after_refusal: 'It approves what was refused before.',
  refused_after_approval: 'It refuses what was approved before.',
  paid_twice: 'It reports a second transfer for a Pix that is paid.',
  notification_id_reused: 'Its notification has the id of another one, which was received before.',
  illegal_move: 'The payment cannot move there from where it stands.',
} as const satisfies Record<string, string>;

export type DiscrepancyReason = keyof typeof DISCREPANCY_REASONS;
