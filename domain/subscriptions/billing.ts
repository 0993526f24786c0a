import type { BillingInterval } from '../products/billing-interval.ts';
import type { PriceBand } from '../products/price-ladder.ts';
import type { BillingSchedule } from './billing-dates.ts';
import type { InvoiceStatus } from './invoice-moves.ts';
import type { MandateTerms } from './mandate-terms.ts';
import type { BillingMethod } from './methods/names.ts';
import type { IntervalPrice } from './proration.ts';
import type { SubscriptionStatus } from './subscription-status.ts';

/** What a subscription charges and how often. The ladder is a copy: a later change of the offer does not change it. */
export interface Plan {
  readonly offerId: string | null;
  readonly interval: BillingInterval;
  readonly ladder: readonly PriceBand[];
}

/** The time that a cycle covers: from its billing date to that of the next cycle, which is not included. */
export interface Period {
  readonly start: string;
  readonly end: string;
  readonly interval: BillingInterval;
  /**
   * What the cycle costs, if the days before the period have another price, or the plan was changed before its payment.
   * Absent if the present plan has the price.
   */
  readonly price?: IntervalPrice;
}

/** The plan of the cycles that are not opened yet. */
export function planAhead({
  plan,
  pendingPlan,
  openCycle,
}: Pick<Billing, 'plan' | 'pendingPlan' | 'openCycle'>): Plan {
  return pendingPlan ?? openCycle?.plan ?? plan;
}

/** The state of a subscription that decides what is charged, and when. Days are merchant's days, `YYYY-MM-DD`. */
export interface Billing {
  readonly status: SubscriptionStatus;
  readonly method: BillingMethod;
  readonly plan: Plan;
  /** A plan that replaces the present one with the cycle that is opened next. */
  readonly pendingPlan: Plan | null;
  readonly schedule: BillingSchedule;
  readonly trialDays: number;
  /** How many cycles were paid, which is also the number of the latest paid one. Cycles are paid in order. */
  readonly paidCycles: number;
  /** The period of the latest paid cycle. Null before the first one. */
  readonly paidPeriod: Period | null;
  /** The cycle that is being charged or is overdue. The next one is not opened before it is paid. */
  readonly openCycle: OpenCycle | null;
  /** Deducted from the next cycles that are opened. */
  readonly credit_centavos: number;
  /** The day of the latest attempt. The next cycle is opened on a later day. */
  readonly lastAttemptOn: string | null;
  /**
   * The latest due date of a charge by a mandate; null if there was none. The day before it if that charge was
   * withdrawn for another means of payment, so that a new mandate can charge on the same date.
   */
  readonly lastMandateDueOn: string | null;
  /** When the access of a canceled subscription ends; null otherwise. */
  readonly endsAt: Date | null;
  /** The mandate of a method that needs one; null otherwise. */
  readonly mandate: MandateTerms | null;
}

export interface OpenCycle {
  readonly cycle: number;
  readonly billingDate: string;
  /** The plan that begins with the cycle: on its billing date, or when it is paid before. Absent if none does. */
  readonly plan?: Plan | undefined;
  /** The interval of the plan of the cycle. */
  readonly interval: BillingInterval;
  /** The price, before the credit. */
  readonly amount_centavos: number;
  /** The part of the price that a credit has paid. */
  readonly credit_centavos: number;
  readonly invoice: Exclude<InvoiceStatus, 'paid' | 'void'>;
  /** The attempt that is scheduled or under way. */
  readonly attempt: Attempt | null;
  /** The attempt that follows; null if none is planned. */
  readonly next: PlannedAttempt | null;
  /** Failed attempts since the attempts began, or began again with a new means of payment. */
  readonly failures: number;
  /** The latest attempts that the acquirer has never received, until it receives one; missing if there are none. */
  readonly unsent?: number;
  /** The day from which the days of the retries count; null before the first failure. */
  readonly retriesFrom: string | null;
  /** The day on which the cycle is given up even though no attempt fails; null if there is none. */
  readonly giveUpOn: string | null;
}

/** What an open cycle begins with, before its first attempt. */
export const NOT_ATTEMPTED = {
  invoice: 'open',
  attempt: null,
  next: null,
  failures: 0,
  retriesFrom: null,
  giveUpOn: null,
} as const satisfies Partial<OpenCycle>;

export interface Attempt {
  /** The method by which it charges, which another one may have replaced. Absent in rows of an older version. */
  readonly method?: BillingMethod;
  readonly dueOn: string;
  /** False for a payment that is `scheduled` and not sent to the acquirer yet. */
  readonly isSent: boolean;
}

export interface PlannedAttempt {
  /** The day on which its payment is created. */
  readonly createOn: string;
  readonly dueOn: string;
  /** The instant before which an attempt is not made again, in ISO 8601. */
  readonly notBefore?: string;
}

/** Whether the first charge, or the mandate alone, waits for the payer, who authorizes both together. */
export function waitsForPayer({ status, mandate }: Pick<Billing, 'status' | 'mandate'>): boolean {
  return status === 'payment_pending' && mandate !== null && mandate.state !== 'authorized';
}
