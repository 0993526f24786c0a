import { addDays } from '../business-days.ts';
import { merchantDay } from '../local-time.ts';
import { withPriceOfCycle } from '../products/price-ladder.ts';
import type { Billing, Plan } from './billing.ts';
import { scheduleFrom } from './billing-dates.ts';
import { type BillingChange, changeOf } from './engine/change.ts';
import { openCycle } from './engine/take-step.ts';
import { upcomingCycle } from './engine/upcoming-cycle.ts';
import type { MandateTerms } from './mandate-terms.ts';
import type { BillingMethod } from './methods/names.ts';

/** A subscription as it is requested. Days are merchant's days. */
export interface NewBilling {
  readonly method: BillingMethod;
  readonly plan: Plan;
  /** The day on which the trial begins or, without one, the first charge is made. Not in the past. */
  readonly startOn: string;
  readonly trialDays: number;
  /** 1 to 31; null: the day of the first charge. */
  readonly bestChargeDay: number | null;
  /** The price of the first charge that is not made now; null: that of the ladder. */
  readonly nextChargeAmount_centavos: number | null;
  /** When the first charge is due, if it is made now; absent or null: as the method says. */
  readonly firstDueOn?: string | null;
  /** Null for a method without a mandate. */
  readonly mandate: MandateTerms | null;
}

/**
 * A new subscription. Without a trial, and if it starts today, its first cycle is opened now.
 *
 * With a mandate, the payer authorizes it by paying the first charge, so this charge is sent now and due today. If the
 * first cycle is free, the payer authorizes the mandate without paying, as before a trial.
 */
export function startBilling(request: NewBilling, now: Date): BillingChange {
  const today = merchantDay(now);
  const { method, trialDays, startOn, mandate, firstDueOn = null } = request;
  const firstChargeOn = addDays(startOn, trialDays);
  const isChargedNow = firstChargeOn <= today;
  const billing: Billing = {
    status: trialDays > 0 && mandate === null ? 'trial_started' : 'payment_pending',
    method,
    plan: frozenPlan(request, isChargedNow ? 2 : 1),
    pendingPlan: null,
    schedule: scheduleFrom(firstChargeOn, request.plan.interval, request.bestChargeDay),
    trialDays,
    paidCycles: 0,
    paidPeriod: null,
    openCycle: null,
    credit_centavos: 0,
    lastAttemptOn: null,
    lastMandateDueOn: null,
    endsAt: null,
    mandate,
  };
  const waitsForMandate = mandate !== null && upcomingCycle(billing)?.amount_centavos === 0;
  if (!isChargedNow || waitsForMandate) return changeOf(billing);
  const opened = openCycle(billing, today);
  const dueOn = mandate === null ? firstDueOn : today;
  return dueOn === null ? opened : sentNow(opened, dueOn);
}

function frozenPlan({ plan, nextChargeAmount_centavos: amount }: NewBilling, cycle: number): Plan {
  return amount === null ? plan : { ...plan, ladder: withPriceOfCycle(plan.ladder, cycle, amount) };
}

function sentNow(change: BillingChange, dueOn: string): BillingChange {
  const { billing, payment } = change;
  const { openCycle: cycle } = billing;
  if (cycle === null || payment?.kind !== 'charge') return change;
  const attempt = { method: billing.method, dueOn, isSent: true };
  const lastMandateDueOn = billing.mandate === null ? billing.lastMandateDueOn : dueOn;
  return {
    ...change,
    billing: { ...billing, lastMandateDueOn, openCycle: { ...cycle, attempt } },
    payment: { ...payment, dueOn, isSent: true },
  };
}
