import { addDays } from '../../business-days.ts';
import type { Billing, OpenCycle, PlannedAttempt } from '../billing.ts';
import { cycleDate, laterDay } from '../billing-dates.ts';
import { billingRules } from '../methods/index.ts';

/** The attempts that follow a failed one. */
export interface Retries {
  /** Null if no attempt follows. */
  readonly next: PlannedAttempt | null;
  /** The day on which the cycle is given up even though no attempt fails; null if there is none. */
  readonly giveUpOn: string | null;
}

/** The attempts of a cycle that follow after today. `retriesFrom` is the day from which their days count. */
export function retriesOf(
  billing: Billing,
  { cycle }: Pick<OpenCycle, 'cycle'>,
  { retriesFrom, isFirst, today, failedDueOn, dunningDays }: RetryTerms,
): Retries {
  const rules = billingRules(billing.method);
  const next = rules.nextAttempt({
    today,
    after: laterDay(today, failedDueOn),
    retriesFrom,
    isFirst,
    nextBillingDate: cycleDate(billing.schedule, cycle + 1),
    dunningDays,
    allowsRetries: billing.mandate?.allowsRetries ?? false,
  });
  const giveUpOn = rules.giveUp_days === null ? null : addDays(retriesFrom, rules.giveUp_days);
  return { next, giveUpOn };
}

export interface RetryTerms {
  readonly retriesFrom: string;
  /** Whether the days of the retries begin with this failure. */
  readonly isFirst: boolean;
  readonly today: string;
  /** The due date of the attempt that failed or was not made. */
  readonly failedDueOn: string;
  /** The merchant's dunning schedule. */
  readonly dunningDays: readonly number[];
}
