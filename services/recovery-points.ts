/**
 * The places between two steps of a payment at which the process may die: each is a test that kills it there. A
 * death at any of them leaves a pending operation, which the reconciler settles by asking the acquirer.
 */
export const RECOVERY_POINTS = {
  /** The intent is committed; the acquirer knows nothing yet. */
  intentCommitted: 'intent_committed',
  /** The acquirer has answered; nothing of it is written yet. */
  acquirerAnswered: 'acquirer_answered',
  /** The outcome and the idempotent answer are committed; the answer is not sent yet. */
  outcomeCommitted: 'outcome_committed',
} as const;

export type RecoveryPoint = (typeof RECOVERY_POINTS)[keyof typeof RECOVERY_POINTS];
