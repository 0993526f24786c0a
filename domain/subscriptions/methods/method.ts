import type { Attempt, PlannedAttempt } from '../billing.ts';
import type { SubscriptionStatus } from '../subscription-status.ts';

/** How the cycles of a subscription are charged by one payment method. */
export interface BillingMethodRules {
  /** The status of a subscription that is paid up. */
  readonly paidStatus: 'active' | 'payment_approved';
  /** The status after the first failed attempt of a cycle, if another attempt follows. */
  failedStatus(before: SubscriptionStatus, failure: AttemptFailure): 'past_due' | 'payment_refused';
  /** The status when no attempt follows. */
  readonly unpaidStatus: 'unpaid' | 'payment_refused';
  /** The first attempt of a cycle. `isFirst`: it is the first cycle, and there is no trial. */
  firstAttempt(billingDate: string, isFirst: boolean): PlannedAttempt;
  /** How many days before its due date a payment is sent to the acquirer. */
  readonly sendLead_days: number;
  /** After how many days an attempt is due that is made later than planned or outside the schedule. */
  readonly dueIn_days: number;
  /** The last day on which a payment that is due on a day can be paid. */
  lastPaymentDay(dueOn: string): string;
  /** The day from which the days of the retries count, after the first failed attempt. */
  retriesFrom(attempt: Attempt, today: string): string;
  /** The attempt after a failed one that may be retried; null if none follows. */
  nextAttempt(failed: FailedCycle): PlannedAttempt | null;
  /** Whether a retry is possible only on its day: one whose day has passed is not made. */
  readonly retriesOnlyOnTheirDay: boolean;
  /** After how many days from `retriesFrom` the cycle is given up at the latest; null: when no attempt follows. */
  readonly giveUp_days: number | null;
  /** Whether an amount can be charged at once, as the upgrade of a plan needs. */
  readonly chargesAtOnce: boolean;
  /** Whether a canceled subscription can be reactivated. */
  readonly canReactivate: boolean;
  /** Whether the payer authorizes all charges in advance by a mandate. */
  readonly needsMandate: boolean;
}

export type AttemptFailure = 'refused' | 'expired';

/** A cycle whose latest attempt failed. */
export interface FailedCycle {
  readonly today: string;
  /** Today, or the due date of the failed attempt if that is later: the next attempt is due after this day. */
  readonly after: string;
  readonly retriesFrom: string;
  /** Whether the days of the retries begin with this failure. */
  readonly isFirst: boolean;
  /** The billing date of the next cycle. */
  readonly nextBillingDate: string;
  /** The merchant's dunning schedule: the days of the retries of a card. */
  readonly dunningDays: readonly number[];
  /** Whether the mandate allows retries; false without a mandate. */
  readonly allowsRetries: boolean;
}
