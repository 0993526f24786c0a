import { daysBetween } from '../business-days.ts';
import { bandsFrom, priceOfCycle } from '../products/price-ladder.ts';
import type { Billing, Plan } from './billing.ts';
import { laterDay } from './billing-dates.ts';
import { type BillingChange, changeOf, makeMoves } from './engine/change.ts';
import { upcomingCycle } from './engine/upcoming-cycle.ts';
import { beyondMandate, type MandateTerms } from './mandate-terms.ts';
import { billingRules } from './methods/index.ts';
import { type IntervalPrice, prorate } from './proration.ts';
import { subscriptionMachine } from './subscription-moves.ts';

export type PlanChangeTime = 'next_cycle' | 'immediate';

/** The figures of a plan change: those of the preview and of the execution. */
export interface PlanChangeQuote {
  /** Positive: charged now (`immediate`) or more at the next charge. Negative: a credit, or less at the next charge. */
  readonly delta_centavos: number;
  readonly nextChargeOn: string;
  readonly nextChargeAmount_centavos: number;
}

/** Why a plan cannot be changed, and by which part of the request or of the subscription. */
export interface PlanChangeProblem {
  readonly about: 'status' | 'plan' | 'effective';
  readonly sentence: string;
}

/** The figures of a change to another plan, or the reason why it is not possible. `today` is the merchant's day. */
export function quotePlanChange(
  billing: Billing,
  target: Plan,
  effective: PlanChangeTime,
  today: string,
): PlanChangeQuote | PlanChangeProblem {
  if (!subscriptionMachine.allows('change_plan', billing.status)) {
    return {
      about: 'status',
      sentence: `The plan of a subscription that is ${billing.status} cannot change.`,
    };
  }
  if (effective === 'immediate' && isWeekly(billing)) {
    return {
      about: 'effective',
      sentence: 'A weekly subscription can change its plan only with the next cycle.',
    };
  }
  const beyond = mandateProblem(billing.mandate, target, billing);
  if (beyond !== null) return beyond;
  const upcoming = upcomingCycle({ ...billing, pendingPlan: target });
  if (upcoming === null) {
    return { about: 'plan', sentence: 'The price ladder of this offer has ended before the next cycle.' };
  }
  const figures = {
    nextChargeOn: upcoming.billingDate,
    nextChargeAmount_centavos: upcoming.amount_centavos,
  };
  if (effective === 'next_cycle') {
    const present_centavos = upcomingCycle(billing)?.amount_centavos ?? 0;
    return { ...figures, delta_centavos: upcoming.amount_centavos - present_centavos };
  }
  const delta_centavos = deltaNow(billing, target, today);
  const sentence = problemOfChangeNow(billing, delta_centavos);
  return sentence === null ? { ...figures, delta_centavos } : { about: 'effective', sentence };
}

/** Whether the days of a week, or their price, are part of a change at once. */
function isWeekly({ plan, paidPeriod }: Billing): boolean {
  return plan.interval === 'weekly' || paidPeriod?.interval === 'weekly';
}

/** Why a mandate does not allow the charges of a plan that are still to come; null if it does, or without a mandate. */
export function mandateProblem(
  terms: MandateTerms | null,
  { interval, ladder }: Plan,
  { openCycle, paidCycles }: Billing,
): PlanChangeProblem | null {
  const upcoming = (openCycle?.cycle ?? paidCycles) + 1;
  const beyond = terms && beyondMandate(terms, { interval, ladder: bandsFrom(ladder, upcoming) });
  return (
    beyond && { about: 'plan', sentence: `The payer's mandate does not allow the ${beyond} of this offer.` }
  );
}

/**
 * The difference for the days until the next charge: 0 before the first one. If the paid cycle has not begun, the days
 * before it count too, unless nobody paid for them or they had another price.
 */
function deltaNow({ plan, paidCycles, paidPeriod }: Billing, target: Plan, today: string): number {
  if (paidPeriod === null) return 0;
  const { start, end, interval, price } = paidPeriod;
  const firstDay = paidCycles === 1 || price !== undefined ? laterDay(today, start) : today;
  const daysLeft = Math.max(daysBetween(firstDay, end), 0);
  const from = price ?? priceOn(plan, paidCycles);
  const to = priceOn(target, paidCycles);
  return prorate(from, to, { interval, daysLeft, daysInCycle: daysBetween(start, end) });
}

function priceOn({ interval, ladder }: Plan, cycle: number): IntervalPrice {
  return { interval, amount_centavos: priceOfCycle(ladder, cycle)! };
}

/**
 * The billing with another plan from now on, also in place of one that begins with the open cycle. The difference for
 * the days until the next charge is charged or credited. Days before the paid cycle that had another price keep it.
 */
function withPlan(billing: Billing, plan: Plan): Billing {
  const openCycle = billing.openCycle && { ...billing.openCycle, plan: undefined };
  const changed = { ...billing, plan, pendingPlan: null, openCycle };
  const { paidPeriod, paidCycles } = billing;
  if (paidPeriod?.price === undefined) return changed;
  return { ...changed, paidPeriod: { ...paidPeriod, price: priceOn(plan, paidCycles) } };
}

function problemOfChangeNow({ status, method }: Billing, delta_centavos: number): string | null {
  if (status === 'past_due' || status === 'unpaid') {
    return `A subscription that is ${status} can change its plan only with the next cycle.`;
  }
  if (delta_centavos > 0 && !billingRules(method).chargesAtOnce) {
    return 'An upgrade at once needs a card or a wallet, because the difference is charged now.';
  }
  return null;
}

/**
 * Gives the subscription the plan of an upgrade whose charge was approved. `cycle`: the one that the charge is for. The
 * price of the open cycle does not change, nor that of a cycle that was paid while the charge had no outcome.
 */
export function completeUpgrade(billing: Billing, target: Plan, cycle: number): BillingChange {
  const { plan, paidCycles, paidPeriod } = billing;
  const changed = withPlan(billing, target);
  const price = paidPeriod?.price ?? priceOn(plan, paidCycles);
  const keepsPrice = paidPeriod !== null && paidCycles !== cycle;
  return changeOf(keepsPrice ? { ...changed, paidPeriod: { ...paidPeriod, price } } : changed, {
    moves: makeMoves(billing.status, 'acquirer', [{ move: 'complete_upgrade' }]),
  });
}

/**
 * Makes a change that charges nothing now. With `immediate`, the difference of a downgrade becomes a credit. With
 * `next_cycle`, the plan changes on the billing date of the next cycle. The price of the open cycle does not change.
 * `by`: the acquirer if the change waited for the payer, who authorized a mandate for it.
 */
export function changePlan(
  billing: Billing,
  target: Plan,
  effective: PlanChangeTime,
  { delta_centavos }: Pick<PlanChangeQuote, 'delta_centavos'>,
  by: 'merchant' | 'acquirer' = 'merchant',
): BillingChange {
  const credit_centavos = billing.credit_centavos + Math.max(0, -delta_centavos);
  const changed: Billing =
    effective === 'next_cycle'
      ? { ...billing, pendingPlan: target }
      : { ...withPlan(billing, target), credit_centavos };
  return changeOf(changed, { moves: makeMoves(billing.status, by, [{ move: 'change_plan' }]) });
}
