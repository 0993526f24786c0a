/** What a merchant does to a subscription. Each function returns false, with nothing changed, if it is not allowed. */
import { dayOf, laterOf, plusDays, stepAt } from '../calendar.ts';
import { charge, dropCycle, paidUntil, restart, upcoming, withdraw } from './cycle.ts';
import { decidedAt } from './kept-charge.ts';
import { allowsPlan, isPlanChanging } from './mandate.ts';
import { chargeNow, firstChargeBy, paidStatus } from './methods.ts';
import { type Plan, type Price, priceOf, prorated } from './plan.ts';
import {
  become,
  dropPendingMandate,
  emit,
  isFinished,
  isOverdue,
  type Means,
  type ModelSubscription,
  type OpenCycle,
  OVERDUE,
  PAID_UP,
  type Send,
  type Upgrade,
} from './state.ts';

/** How long a subscription that was canceled with an overdue cycle can be reactivated. */
const OVERDUE_DAYS = 30;

/** Rows 8.7, 13.27 and 13.28. */
export function cancel(model: ModelSubscription, now: number): boolean {
  if (model.status === 'canceled' || isFinished(model)) return false;
  const { means, open } = model;
  const endsNow = model.status === 'payment_pending';
  withdraw(model, now);
  const isUnderWay = open?.attempt != null;
  const isOverdueCycle = open !== null && open.day <= dayOf(now);
  const end = isOverdueCycle ? stepAt(plusDays(dayOf(now), OVERDUE_DAYS)) : paidUntil(model, open);
  model.endsAt = endsNow ? now : Math.max(end, isUnderWay ? decidedAt(open.attempt!) : end);
  model.pendingPlan = null;
  dropPendingMandate(model);
  become(model, endsNow ? 'ended' : 'canceled', 'canceled', 'inactivated');
  if (means.method === 'pix_recurring') {
    emit(model, 'deleted');
    endMandate(means);
  }
  if (endsNow) emit(model, 'ended');
  if (open !== null && !isUnderWay && (endsNow || !isOverdueCycle)) dropCycle(model, open);
  else if (open !== null) {
    open.next = null;
    open.giveUpOn = null;
  }
  return true;
}

/** Row 8.7; the end of a Pix recurring subscription is final. */
export function reactivate(model: ModelSubscription, now: number): boolean {
  const { open, means } = model;
  const hasNextCharge = open !== null || upcoming(model) !== null;
  const isFinal = means.method === 'pix_recurring';
  const isOver = model.endsAt === null || model.endsAt <= now;
  if (model.status !== 'canceled' || isOver || isFinal || model.paidCycles === 0 || !hasNextCharge)
    return false;
  model.endsAt = null;
  become(model, 'active', 'updated');
  if (open !== null) {
    restart(open);
    if (open.attempt === null) open.next = chargeNow(means, dayOf(now), open.day);
    const isOverdueNow = open.invoice.status === 'open' && open.day <= dayOf(now);
    if (isOverdueNow || open.invoice.status === 'uncollectible') open.invoice.status = 'past_due';
  }
  return true;
}

/** Changes how a subscription is paid, and charges an overdue cycle (rows 8.9 and 13.30). */
export function useMeans(model: ModelSubscription, means: Means, now: number, send: Send): boolean {
  if (model.status === 'canceled' || isFinished(model)) return false;
  if (model.plan.interval === 'weekly' && means.method !== 'pix_recurring') return false;
  const before = model.open?.attempt ?? null;
  const canceled = withdraw(model, now) ? before : null;
  // A charge that was not sent, or is withdrawn in time, leaves its day to the one that replaces it.
  if (canceled?.method === 'pix_recurring') model.lastMandateDueOn = plusDays(canceled.dueOn, -1);
  const startsTrial = model.status === 'payment_pending' && model.trialDays > 0;
  if (model.means.method === 'pix_recurring') endMandate(model.means);
  if (model.open?.attempt) model.open.attempt.replaced ??= model.means;
  model.means = means;
  dropPendingMandate(model);
  const status = PAID_UP.includes(model.status) ? paidStatus(means) : model.status;
  if (startsTrial) become(model, 'trial_started', 'updated', 'updated');
  else become(model, status, 'updated');
  const { open } = model;
  const today = dayOf(now);
  if (open === null || open.attempt !== null) return true;
  restart(open);
  if (!isOverdue(model)) open.next = nextChargeBy(model, open, now);
  else if (canceled !== null || means.method === 'pix_recurring' || today < open.day)
    open.next = chargeNow(means, today, open.day);
  else charge(model, { on: chargeNow(means, today, open.day).dueOn, expiresAt: null }, now, send);
  return true;
}

/** The charge of an open cycle by other means: on its billing date, or now if that has come. */
function nextChargeBy(model: ModelSubscription, open: OpenCycle, now: number) {
  const today = dayOf(now);
  if (open.day <= today) return chargeNow(model.means, today, open.day);
  const { on, dueOn } = firstChargeBy(model, open, now);
  return { on: laterOf(on, today), dueOn };
}

export type Effective = 'next_cycle' | 'immediate';

/** The figures of a change of plan; null if it is not allowed (rows 8.8, 13.27 and 13.29). */
export interface Figures {
  readonly delta: number;
  readonly next_charge_at: string;
  readonly next_charge_amount: number;
}

export function quote(
  model: ModelSubscription,
  target: Plan,
  effective: Effective,
  now: number,
): Figures | null {
  const { plan, paidPeriod, status, means } = model;
  const next = upcoming(model, target);
  if (isPlanChanging(model, now)) return null;
  if (status === 'canceled' || isFinished(model) || next === null || !allowsPlan(model, target)) return null;
  const figures = { next_charge_at: next.day, next_charge_amount: next.amount };
  if (effective === 'next_cycle') return { ...figures, delta: next.amount - (upcoming(model)?.amount ?? 0) };
  if (status === 'past_due' || status === 'unpaid') return null;
  if (plan.interval === 'weekly' || paidPeriod?.interval === 'weekly') return null;
  const to = priceOfPaidCycle(model, target);
  const delta = paidPeriod === null ? 0 : prorated(paidPeriod, dayOf(now), paidPeriod.price, to);
  return delta > 0 && !('card' in means) ? null : { ...figures, delta };
}

/** Changes the plan by figures that charge nothing now. */
export function changePlan(
  model: ModelSubscription,
  target: Plan,
  effective: Effective,
  { delta }: Pick<Figures, 'delta'>,
): void {
  if (effective === 'next_cycle') {
    model.pendingPlan = target;
  } else {
    if (model.paidPeriod !== null) {
      model.paidPeriod = { ...model.paidPeriod, price: priceOfPaidCycle(model, target) };
    }
    model.plan = target;
    model.pendingPlan = null;
    if (model.open !== null) model.open.beginsPlan = false;
    model.credit += Math.max(0, -delta);
  }
  emit(model, 'plan_changed');
  emit(model, 'updated');
}

/** The service learns the outcome of an upgrade's charge. A refused one changes nothing. */
export function settleUpgrade(model: ModelSubscription, upgrade: Upgrade): void {
  const { plan, decision, cycle } = upgrade;
  model.pendingUpgrade = null;
  upgrade.state = decision === 'approve' ? 'paid' : 'refused';
  if (decision !== 'approve') return;
  const { paidPeriod } = model;
  changePlan(model, plan, 'immediate', { delta: 0 });
  if (model.paidCycles !== cycle) model.paidPeriod = paidPeriod && { ...paidPeriod, continues: false };
}

function priceOfPaidCycle({ paidCycles }: ModelSubscription, plan: Plan): Price {
  return { amount: priceOf(plan, paidCycles) ?? 0, interval: plan.interval };
}

/** The payment of a cycle was refunded in full, or its chargeback was lost (row 8.7). */
export function loseMoneyOf(model: ModelSubscription, cycle: number, now: number): void {
  const { status, means, open } = model;
  const isRevocable = [...PAID_UP, ...OVERDUE, 'canceled'].includes(status);
  if (cycle !== model.paidCycles || !isRevocable) return;
  withdraw(model, now);
  if (model.endsAt !== null) model.endsAt = Math.min(model.endsAt, now);
  become(model, 'ended', 'inactivated', 'ended');
  model.pendingPlan = null;
  dropPendingMandate(model);
  if (means.method === 'pix_recurring') endMandate(means);
  if (open !== null && open.attempt === null) dropCycle(model, open);
}

function endMandate({ mandate }: Means & { method: 'pix_recurring' }): void {
  if (mandate.state === 'created' || mandate.state === 'authorized') mandate.state = 'ended';
}
