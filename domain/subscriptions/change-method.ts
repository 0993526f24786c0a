import { addDays } from '../business-days.ts';
import { merchantDay } from '../local-time.ts';
import { bandsFrom } from '../products/price-ladder.ts';
import {
  type Billing,
  type OpenCycle,
  type Plan,
  type PlannedAttempt,
  planAhead,
  waitsForPayer,
} from './billing.ts';
import { cycleDate, laterDay } from './billing-dates.ts';
import { canWithdraw, hasMandatePayment } from './cancel-billing.ts';
import { attemptNow, firstAttempt, withNewAttempts } from './engine/attempt.ts';
import { type BillingChange, changeOf, makeMoves, type WantedMove } from './engine/change.ts';
import { nextCharge } from './engine/next-charge.ts';
import { dueStep } from './engine/next-step.ts';
import { takeStep } from './engine/take-step.ts';
import { upcomingCycle } from './engine/upcoming-cycle.ts';
import { beyondMandate, firstChargeDate, type MandateTerms } from './mandate-terms.ts';
import { billingRules } from './methods/index.ts';
import type { BillingMethod } from './methods/names.ts';
import { changePlan } from './plan-change.ts';
import type { PendingMandate } from './subscription.ts';
import { subscriptionMachine } from './subscription-moves.ts';
import { isOverdue, isPaidUp } from './subscription-status.ts';

/** Why a subscription cannot change its payment method; null if it can. */
export function methodChangeProblem(
  billing: Billing,
  method: BillingMethod,
): { readonly about: 'status' | 'method'; readonly sentence: string } | null {
  const { status, plan } = billing;
  if (!subscriptionMachine.allows('change_method', status)) {
    return {
      about: 'status',
      sentence: `The payment method of a subscription that is ${status} cannot change.`,
    };
  }
  if (billingRules(method).needsMandate && waitsForPayer(billing)) {
    // The subscription ends when the first QR code expires, and a second one would end with it.
    return {
      about: 'status',
      sentence:
        'The payer has not authorized the first mandate. When its QR code has expired, create another subscription.',
    };
  }
  if (plan.interval === 'weekly' && !billingRules(method).needsMandate) {
    return { about: 'method', sentence: 'A weekly subscription can only be paid by Pix recurring.' };
  }
  return null;
}

/**
 * Gives a subscription another means of payment, or an authorized mandate. If a payment of the old method is open, and
 * `canWithdraw` and its state (`mayWithdraw`) allow it, the payment is withdrawn. An open cycle without an open payment
 * is charged by the new method at the next step, an overdue one at once.
 */
export function changeMethod(
  billing: Billing,
  { method, mandate }: { readonly method: BillingMethod; readonly mandate: MandateTerms | null },
  by: 'merchant' | 'acquirer',
  now: Date,
  mayWithdraw = true,
): BillingChange {
  const { status, openCycle } = billing;
  const moves = makeMoves(status, by, movesOf(billing, method));
  const changed: Billing = { ...billing, method, mandate };
  if (openCycle === null) {
    const payment = hasMandatePayment(billing) ? ({ kind: 'withdraw', cycle: null } as const) : null;
    return changeOf(changed, { moves, payment });
  }
  const isWithdrawn = mayWithdraw && openCycle.attempt !== null && canWithdraw(billing, openCycle, now);
  if (openCycle.attempt !== null && !isWithdrawn) return changeOf(changed, { moves });
  const today = merchantDay(now);
  const replaced = { ...changed, lastMandateDueOn: lastDueDate(billing, openCycle) };
  const next = isOverdue(status)
    ? attemptNow(replaced, openCycle, today)
    : nextAttempt(replaced, openCycle, today);
  return changeOf(
    { ...replaced, openCycle: { ...withNewAttempts(openCycle), attempt: null, next } },
    { moves, payment: isWithdrawn ? { kind: 'withdraw', cycle: openCycle.cycle } : null },
  );
}

/** What a new mandate has to allow: the price of the open cycle, and the plan of the cycles that follow. */
function planOfNewMandate(billing: Billing): Plan {
  const { openCycle, paidCycles } = billing;
  const next = planAhead(billing);
  const cycle = (openCycle?.cycle ?? paidCycles) + 1;
  const following = bandsFrom(next.ladder, cycle);
  if (openCycle === null) return { ...next, ladder: following };
  const amount_centavos = openCycle.amount_centavos - openCycle.credit_centavos;
  const open = { start: openCycle.cycle, end: openCycle.cycle, amount_centavos };
  return { ...next, ladder: [open, ...following] };
}

/** The billing at a later time, if its next cycle is opened by then. */
export function withNextCycleOpened(billing: Billing, until: Date): Billing {
  const step = dueStep(billing, until);
  return step?.kind === 'open_cycle' ? takeStep(billing, step, until).billing : billing;
}

/**
 * The same for a mandate that is requested now, and that the payer authorizes by `until`. A cycle may open while the
 * payer decides. It costs the price of the present plan less the credit, and the mandate must allow it.
 * `target`: the plan that begins with the mandate; null if the plan does not change.
 */
export function planOfRequestedMandate(billing: Billing, target: Plan | null, until: Date): Plan {
  const planAt = (at: Billing) => planOfNewMandate(target === null ? at : { ...at, pendingPlan: target });
  const plan = planAt(billing);
  const opened = withNextCycleOpened(billing, until);
  return opened === billing ? plan : { ...plan, ladder: [...planAt(opened).ladder, ...plan.ladder] };
}

/**
 * Whether a mandate that was requested earlier still allows the charges that follow, by its plan if it has one. Because
 * a cycle may have been opened since then, its price can be too low or too high, and a finite plan can have ended.
 */
export function mandateStillFits(
  billing: Billing,
  { terms, plan }: Pick<PendingMandate, 'terms' | 'plan'>,
): boolean {
  const ahead = plan === null ? billing : { ...billing, pendingPlan: plan };
  if (plan !== null && upcomingCycle(ahead) === null) return false;
  return beyondMandate(terms, planOfNewMandate(ahead)) === null;
}

/**
 * The day of the first charge by a mandate that the payer authorizes today; null if there is none. An overdue cycle is
 * charged as soon as possible.
 */
export function firstChargeByMandate(billing: Billing, method: BillingMethod, today: string): string | null {
  const { status, openCycle, credit_centavos } = billing;
  const upcoming = openCycle === null ? upcomingCycle(billing) : null;
  const on =
    upcoming === null ? nextCharge(billing)?.on : firstChargeDate(upcoming, upcoming.cycle, credit_centavos);
  if (on === undefined) return null;
  return isOverdue(status) || on <= today ? addDays(today, billingRules(method).dueIn_days) : on;
}

/**
 * The payer authorized the mandate of a change to Pix recurring (contract row 13.30). The plan that was requested with
 * it begins with the next cycle.
 */
export function changeToMandate(
  billing: Billing,
  { method, terms, plan }: Pick<PendingMandate, 'method' | 'terms' | 'plan'>,
  now: Date,
  mayWithdraw: boolean,
): BillingChange {
  const wanted = { method, mandate: { ...terms, state: 'authorized' } } as const;
  const changed = changeMethod(billing, wanted, 'acquirer', now, mayWithdraw);
  if (plan === null) return changed;
  const planned = changePlan(changed.billing, plan, 'next_cycle', { delta_centavos: 0 }, 'acquirer');
  return { ...changed, billing: planned.billing, moves: [...changed.moves, ...planned.moves] };
}

/**
 * The billing of a weekly subscription whose next cycle has another interval. A week has no day of the month: from that
 * cycle on, it is charged on the day of the month of that cycle, unless the merchant has chosen a day.
 */
export function withDayOfMonth(billing: Billing, bestChargeDay: number | null): Billing {
  const { schedule, openCycle, paidCycles } = billing;
  if (schedule.interval !== 'weekly' || bestChargeDay !== null) return billing;
  const next = cycleDate(schedule, (openCycle?.cycle ?? paidCycles) + 1);
  return { ...billing, schedule: { ...schedule, anchorDay: Number(next.slice(8)) } };
}

/** The latest due date of a charge by a mandate, after the open one was withdrawn: its own date is free again. */
function lastDueDate({ method, lastMandateDueOn }: Billing, { attempt }: OpenCycle): string | null {
  const isFreed = attempt !== null && billingRules(attempt.method ?? method).needsMandate;
  return isFreed ? addDays(attempt.dueOn, -1) : lastMandateDueOn;
}

/** The first attempt by another method: as the method says, or now if the billing date has come. */
function nextAttempt(billing: Billing, openCycle: OpenCycle, today: string): PlannedAttempt {
  if (openCycle.billingDate <= today) return attemptNow(billing, openCycle, today);
  const planned = firstAttempt(billing, openCycle, today);
  return { ...planned, createOn: laterDay(planned.createOn, today) };
}

/** A trial that waited for the payer to authorize a mandate starts now. */
function movesOf({ status, trialDays }: Billing, method: BillingMethod): WantedMove[] {
  if (isPaidUp(status)) return [{ move: 'change_method', to: billingRules(method).paidStatus }];
  const startsTrial = status === 'payment_pending' && trialDays > 0;
  return startsTrial ? [{ move: 'change_method' }, { move: 'start_trial' }] : [{ move: 'change_method' }];
}
