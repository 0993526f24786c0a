/**
 * The points between two steps of a payment at which tests kill the process. At the first two, this leaves a pending
 * operation, which the reconciler settles by an inquiry at the acquirer.
 */
export const RECOVERY_POINTS = {
  /** The intent is committed; the acquirer has not been called. */
  intentCommitted: 'intent_committed',
  /** The acquirer has answered; its answer is not written. */
  acquirerAnswered: 'acquirer_answered',
  /** The acquirer has reported what has become of a charge; nothing is written. The charge is due again later. */
  chargeReported: 'charge_reported',
  /** The outcome and the idempotent answer are committed; the answer is not sent. */
  outcomeCommitted: 'outcome_committed',
} as const;

export type RecoveryPoint = (typeof RECOVERY_POINTS)[keyof typeof RECOVERY_POINTS];
