import { DAY_MS } from '../../durations.ts';
import { type BillingChange, changeOf } from './change.ts';
import { settleAttempt } from './settle-attempt.ts';

/** How long a charge waits for a means of payment that cannot be read, such as a card. An operator may repair it. */
const WAIT_MS = 7 * DAY_MS;

/** Whether a step no longer waits for its means of payment, which could first not be read at `unreadSince`. */
export function hasWaitedForMeans(unreadSince: Date, now: Date): boolean {
  return now.getTime() - unreadSince.getTime() >= WAIT_MS;
}

/**
 * The change by a step whose charge is not made, because its means of payment cannot be read: it counts as refused for
 * good.
 */
export function withoutCharge(step: BillingChange, now: Date): BillingChange {
  const refused = settleAttempt(step.billing, { kind: 'refused', mayRetry: false }, { now, dunningDays: [] });
  return changeOf(refused.billing, {
    moves: [...step.moves, ...refused.moves],
    invoices: [...step.invoices, ...refused.invoices],
  });
}
