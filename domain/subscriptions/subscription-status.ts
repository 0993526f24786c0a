/** Statuses as merchants see them (source text and contract row 8.4). */
export const SUBSCRIPTION_STATUSES = [
  'payment_pending',
  'trial_started',
  'active',
  /** With Pix recurring, it is active. */
  'payment_approved',
  /** The first charge without a trial was refused, or any charge of Pix recurring. */
  'payment_refused',
  'past_due',
  'unpaid',
  'canceled',
  'ended',
  'completed',
] as const;

export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

/** Whether the status can never change again. */
export function isFinished(status: SubscriptionStatus): boolean {
  return status === 'ended' || status === 'completed';
}

/** Whether no charge follows: it is canceled, or has ended. */
export function isClosed(status: SubscriptionStatus): boolean {
  return status === 'canceled' || isFinished(status);
}

/** The statuses of a subscription that no charge follows. */
export const CLOSED_STATUSES = SUBSCRIPTION_STATUSES.filter(isClosed);

/**
 * Whether no charge is overdue and the first one was made; also after a reactivation, until the overdue cycle is
 * charged.
 */
export function isPaidUp(status: SubscriptionStatus): boolean {
  return status === 'active' || status === 'payment_approved';
}

/** Whether a cycle was refused or expired and is not paid yet. */
export function isOverdue(status: SubscriptionStatus): boolean {
  return status === 'payment_refused' || status === 'past_due' || status === 'unpaid';
}
