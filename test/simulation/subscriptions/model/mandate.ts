/** What a merchant asks of a mandate, and which plans and prices it allows (rows 13.27 and 13.30). */
import { openCycle, planAhead, upcoming } from './cycle.ts';
import { dateOf, type Plan } from './plan.ts';
import {
  copyOf,
  dropPendingMandate,
  isFinished,
  type ModelMandate,
  type ModelSubscription,
  waitsForMandate,
} from './state.ts';
import { nextDue } from './steps.ts';

/**
 * Requests a mandate by which the subscription is charged once the payer has authorized it, with its plan if it has
 * one. Returns false, with nothing changed, if that is not allowed.
 */
export function requestMandate(model: ModelSubscription, mandate: ModelMandate): boolean {
  const { plan, qrExpiresAt } = mandate;
  const opened = plan === null ? model : withNextCycleOpened(model, qrExpiresAt);
  const hasNextCharge =
    (plan === null && model.open !== null) || upcoming(opened, plan ?? planAhead(model)) !== null;
  if (model.status === 'canceled' || isFinished(model) || !hasNextCharge) return false;
  if (waitsForMandate(model)) return false;
  if (model.pendingUpgrade !== null || !allows(mandate, pricesOfMandate(model, plan, qrExpiresAt)))
    return false;
  dropPendingMandate(model);
  model.requestedMandate = mandate;
  model.pendingMandate = mandate;
  return true;
}

/**
 * The prices that a new mandate must allow: that of the open cycle, and those of the cycles that follow. A cycle that
 * is opened while the payer decides has the price of the present plan less the credit.
 */
export function pricesOfMandate(model: ModelSubscription, plan: Plan | null, qrExpiresAt: number): number[] {
  const opened = withNextCycleOpened(model, qrExpiresAt);
  return [model, opened].flatMap((each) => pricesAhead(each, plan ?? planAhead(each)));
}

/** Whether a mandate that was requested earlier allows the open cycle and those that follow. */
export function stillFits(model: ModelSubscription, mandate: ModelMandate): boolean {
  const plan = mandate.plan ?? planAhead(model);
  const hasEnded = mandate.plan !== null && upcoming(model, plan) === null;
  return !hasEnded && allows(mandate, pricesAhead(model, plan));
}

function pricesAhead({ open, paidCycles }: ModelSubscription, plan: Plan): number[] {
  const following = pricesFrom(plan, (open?.cycle ?? paidCycles) + 1);
  return open === null ? following : [open.invoice.amount - open.invoice.credit, ...following];
}

/** The subscription at a later time, if its next cycle is opened by then. */
function withNextCycleOpened(model: ModelSubscription, until: number): ModelSubscription {
  const opened = copyOf(model);
  const step = opened.open === null ? nextDue(opened, true, model.now, 'service') : null;
  const isLive = !waitsForMandate(model) && !isFinished(model) && model.status !== 'canceled';
  if (step === null || step.at > until || !isLive || upcoming(opened) === null) return opened;
  openCycle(opened, until, () => ({ isKnown: false, decision: 'approve' }));
  return opened;
}

/** Whether the charge of another plan has no outcome yet, or its mandate waits for the payer. */
export function isPlanChanging({ pendingUpgrade, pendingMandate }: ModelSubscription, now: number): boolean {
  return pendingUpgrade !== null || (pendingMandate?.plan != null && now < pendingMandate.qrExpiresAt);
}

/** A plan must also be possible with the mandate that waits for its payer. */
export function allowsPlan(model: ModelSubscription, target: Plan): boolean {
  const { means, pendingMandate, now, open, paidCycles } = model;
  const amounts = pricesFrom(target, (open?.cycle ?? paidCycles) + 1);
  const mandates = means.method === 'pix_recurring' ? [means.mandate] : [];
  if (pendingMandate !== null && now < pendingMandate.qrExpiresAt) mandates.push(pendingMandate);
  return mandates.every((mandate) => target.interval === mandate.interval && allows(mandate, amounts));
}

/**
 * A week has no day of the month: unless the merchant has chosen one, a plan with months is charged on the day of the
 * month of its first cycle.
 */
export function useDayOfMonth(model: ModelSubscription): void {
  const { schedule, hasChosenDay, open, paidCycles } = model;
  if (schedule.interval !== 'weekly' || hasChosenDay) return;
  const next = dateOf(schedule, (open?.cycle ?? paidCycles) + 1);
  model.schedule = { ...schedule, anchor: Number(next.slice(8)) };
}

function allows({ fixed, minimum }: ModelMandate, amounts: readonly number[]): boolean {
  return amounts.every((amount) => (fixed === null || amount === fixed) && amount >= (minimum ?? 0));
}

/** The prices of a cycle and of all later ones. A price for one cycle counts only if the plan has that cycle. */
function pricesFrom({ bands, special }: Plan, first: number): number[] {
  return bands.flatMap(({ start, end, amount }) => {
    const [from, to] = [Math.max(start, first), end ?? Infinity];
    if (from > to) return [];
    if (special === null || special.cycle < from || special.cycle > to) return [amount];
    return from === to ? [special.amount] : [special.amount, amount];
  });
}
