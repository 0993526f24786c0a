import assert from 'node:assert/strict';

/** The changes of the status that the contract allows (rows 8.4 to 8.9, 13.26 to 13.30). */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  payment_pending: [
    ...['active', 'payment_approved', 'trial_started', 'past_due', 'payment_refused', 'unpaid'],
    ...['canceled', 'ended', 'completed'],
  ],
  trial_started: ['active', 'payment_approved', 'payment_refused', 'past_due', 'unpaid', 'canceled'],
  active: ['payment_approved', 'past_due', 'unpaid', 'canceled', 'ended', 'completed'],
  payment_approved: ['active', 'payment_refused', 'canceled', 'ended', 'completed'],
  past_due: ['active', 'payment_approved', 'payment_refused', 'unpaid', 'canceled', 'ended'],
  payment_refused: ['active', 'payment_approved', 'unpaid', 'canceled', 'ended'],
  unpaid: ['active', 'payment_approved', 'canceled', 'ended'],
  canceled: ['active', 'ended'],
  ended: [],
  completed: [],
};

/** Fails if one of the statuses, in order, must not follow the one before it. */
export function assertAllowedStatuses(statuses: readonly string[], subscription: string): void {
  statuses.slice(1).forEach((after, i) => {
    const before = statuses[i]!;
    const isAllowed = before === after || ALLOWED[before]!.includes(after);
    assert.ok(isAllowed, `${subscription} went from ${before} to ${after}`);
  });
}
