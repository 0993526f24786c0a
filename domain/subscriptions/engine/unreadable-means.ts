import { type BillingChange, changeOf } from './change.ts';
import type { Step } from './next-step.ts';
import { settleAttempt } from './settle-attempt.ts';

/** How long a charge waits for a means of payment that cannot be read, such as a card. An operator may repair it. */
const WAIT_ms = 7 * 24 * 3_600_000;

/** Whether a step no longer waits for its means of payment. */
export function hasWaitedForMeans({ dueAt }: Step, now: Date): boolean {
  return now.getTime() - dueAt.getTime() >= WAIT_ms;
}

/** The change by a step whose charge is not made, because its means of payment cannot be read: it counts as refused for good. */
export function withoutCharge(step: BillingChange, now: Date): BillingChange {
  const refused = settleAttempt(step.billing, { kind: 'refused', mayRetry: false }, { now, dunningDays: [] });
  return changeOf(refused.billing, {
    moves: [...step.moves, ...refused.moves],
    invoices: [...step.invoices, ...refused.invoices],
  });
}
