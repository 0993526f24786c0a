/** The cycles of a subscription: they are opened, charged, paid, and given up. */
import { dayOf, instantOf, laterOf, plusDays, stepAt } from '../calendar.ts';
import {
  chargeAfterEarlyFailure,
  chargeAgain,
  chargeNow,
  earliestGiveUpDay,
  failedStatus,
  firstChargeBy,
  giveUpDay,
  isIssued,
  lowestCharge,
  paidStatus,
  retriesFrom,
  retryOf,
  SEND_DAYS,
  unpaidStatus,
} from './methods.ts';
import { dateOf, type Plan, priceOf } from './plan.ts';
import {
  type Attempt,
  become,
  emit,
  type FirstDue,
  isByFormerMeans,
  isFinished,
  isOverdue,
  type ModelInvoice,
  type ModelSubscription,
  type OpenCycle,
  type Send,
  waitsForMandate,
} from './state.ts';

/** The plan of the cycles that are not opened yet. */
export function planAhead({ pendingPlan, open, plan }: ModelSubscription): Plan {
  return pendingPlan ?? (open?.beginsPlan ? open.plan : plan);
}

/** The first cycle that is not opened yet, as it would be opened now; null if the plan has ended. */
export function upcoming(model: ModelSubscription, plan: Plan = planAhead(model)) {
  const cycle = (model.open?.cycle ?? model.paidCycles) + 1;
  const amount = priceOf(plan, cycle);
  if (amount === null) return null;
  const credit = model.credit >= amount ? amount : Math.max(0, creditOf(model, amount));
  return { cycle, day: dateOf(model.schedule, cycle), plan, amount, credit };
}

/** The credit that leaves a charge which is allowed. */
function creditOf({ means, credit }: ModelSubscription, amount: number): number {
  return Math.min(credit, amount - lowestCharge(means));
}

/**
 * Opens the next cycle. One that costs nothing is paid without a charge. `due`: of its charge, if the merchant has
 * chosen it.
 */
export function openCycle(model: ModelSubscription, now: number, send: Send, due?: FirstDue): void {
  const { cycle, day, plan, amount, credit } = upcoming(model)!;
  const beginsPlan = model.pendingPlan !== null;
  model.pendingPlan = null;
  model.credit -= credit;
  const { interval } = plan;
  if (interval !== model.schedule.interval) model.schedule = { ...model.schedule, cycle, day, interval };
  const attempts = model.invoices.get(cycle)?.attempts ?? [];
  const end = dateOf(model.schedule, cycle + 1);
  const invoice: ModelInvoice = { status: 'open', start: day, end, amount, credit, attempts };
  model.invoices.set(cycle, invoice);
  model.open = {
    ...{ cycle, day, plan, beginsPlan, invoice },
    ...{ attempt: null, next: null, failures: 0, early: 0, unsent: 0, retriesFrom: null, giveUpOn: null },
  };
  if (amount > credit) {
    if (beginsPlan && day <= dayOf(now)) beginPlan(model, model.open);
    const planned = due ?? { on: firstChargeBy(model, model.open, now).dueOn, expiresAt: null };
    charge(model, planned, now, send);
  } else {
    model.lastAttemptOn = dayOf(now);
    if ('card' in model.means) model.means.card.isToken = false;
    succeed(model, model.open);
  }
}

/** The plan changes on the day of the cycle. */
export function beginPlan(model: ModelSubscription, open: OpenCycle): void {
  model.plan = open.plan;
  open.beginsPlan = false;
  emit(model, 'updated');
}

/** Makes a charge of the open cycle. One whose due date has passed is due later. */
export function charge(model: ModelSubscription, due: FirstDue, now: number, send: Send): void {
  const { means } = model;
  const open = model.open!;
  const today = dayOf(now);
  const dueOn = due.on < today ? chargeNow(means, today, open.day).dueOn : due.on;
  const amount = open.invoice.amount - open.invoice.credit;
  if (open.giveUpOn !== null) open.giveUpOn = laterOf(open.giveUpOn, earliestGiveUpDay(means, dueOn));
  const { method } = means;
  const attempt: Attempt = {
    ...{ method, dueOn, expiresAt: due.expiresAt, amount, state: 'waiting', decision: null, replaced: null },
  };
  open.invoice.attempts.push(attempt);
  open.attempt = attempt;
  open.next = null;
  model.lastAttemptOn = today;
  if (means.method === 'pix_recurring') {
    model.lastMandateDueOn = dueOn;
    attempt.state = 'scheduled';
    if (plusDays(dueOn, -SEND_DAYS) <= today) sendByMandate(model, attempt);
  } else {
    const { decision, isKnown } = send(model);
    attempt.state = 'processing';
    attempt.decision = decision;
    if (isKnown) settle(model, now);
  }
}

export function sendByMandate(model: ModelSubscription, attempt: Attempt): void {
  attempt.state = 'waiting';
  attempt.decision = model.scripted.shift() ?? 'approve';
}

/** The service finds out what the bank has decided about the charge, or that a boleto or a Pix was issued. */
export function settle(model: ModelSubscription, now: number): void {
  const open = model.open!;
  const attempt = open.attempt!;
  if (isIssued(attempt.method) && attempt.decision !== 'not_sent') {
    // The customer decides now.
    attempt.state = 'waiting';
    attempt.decision = null;
    return;
  }
  const card = 'card' in model.means ? model.means.card : null;
  // A wallet's token cannot be charged again, unless the subscription is paid in another way by now.
  if (card?.isToken && attempt.decision !== 'approve') attempt.decision = 'hard';
  else if (card !== null) card.isToken = false;
  const { decision } = attempt;
  attempt.state = decision === 'approve' ? 'paid' : 'refused';
  if (decision === 'approve') succeed(model, open);
  else if (decision !== 'not_sent') fail(model, attempt, 'refused', now);
  else if (model.status === 'canceled' || isFinished(model)) failAfterEnd(model, open, dayOf(now));
  else {
    open.attempt = null;
    const unsent = open.unsent + 1;
    if (isByFormerMeans(attempt, model)) restart(open);
    open.unsent = unsent;
    open.next = chargeAgain(model.means, open, attempt, now);
  }
}

export function succeed(model: ModelSubscription, open: OpenCycle): void {
  const { means } = model;
  if (means.method === 'pix_recurring' && means.mandate.state === 'created')
    means.mandate.state = 'authorized';
  const wasOverdue = open.invoice.status !== 'open';
  open.invoice.status = 'paid';
  model.paidCycles = open.cycle;
  const { start, end } = open.invoice;
  const { interval } = open.plan;
  const { amount } = open.invoice;
  const hasPlan = priceOf(model.plan, open.cycle) === amount && model.plan.interval === interval;
  const hasOldPrice = open.cycle > 1 && priceOf(model.plan, open.cycle - 1) === amount;
  const continues = hasPlan && hasOldPrice && !open.beginsPlan;
  model.paidPeriod = { start, end, interval, price: { amount, interval }, continues };
  if (open.beginsPlan) model.plan = open.plan;
  model.open = null;
  const isReactivated = ['active', 'payment_approved'].includes(model.status) && wasOverdue;
  const isActivated =
    ['payment_pending', 'trial_started'].includes(model.status) || isOverdue(model) || isReactivated;
  if (isActivated) become(model, paidStatus(means), 'charge_succeeded', 'activated', 'updated');
  else become(model, model.status, 'charge_succeeded', 'updated');
  if (model.status === 'canceled') model.endsAt = stepAt(end);
}

/** A charge of the open cycle was refused, or was not paid in time. */
export function fail(
  model: ModelSubscription,
  attempt: Attempt,
  outcome: 'refused' | 'expired',
  now: number,
): void {
  const open = model.open!;
  open.attempt = null;
  const isEarly = isIssued(model.means.method) && dayOf(now) < open.day;
  if (isEarly) open.early++;
  else open.failures++;
  open.unsent = 0;
  if (model.status === 'canceled' || isFinished(model)) failAfterEnd(model, open, dayOf(now));
  else {
    const isFinal = waitsForMandate(model) || open.invoice.status === 'uncollectible';
    if (isByFormerMeans(attempt, model)) beginAnew(model, open, outcome, dayOf(now));
    else if (isEarly && !isFinal) failEarly(model, open, attempt, dayOf(now));
    else if (!isFinal) planRetry(model, attempt, outcome, dayOf(now));
    else emit(model, 'charge_failed');
  }
}

/** The cycle is charged by the new means of payment at once, or on its day. */
function beginAnew(
  model: ModelSubscription,
  open: OpenCycle,
  outcome: 'refused' | 'expired',
  today: string,
): void {
  restart(open);
  open.next = chargeNow(model.means, today, open.day);
  if (open.invoice.status === 'uncollectible' || today < open.day) emit(model, 'charge_failed');
  else fallBehind(model, open, outcome);
}

/** Nothing is overdue yet. A final refusal ends the cycle on its day. */
function failEarly(model: ModelSubscription, open: OpenCycle, { decision }: Attempt, today: string): void {
  const { means } = model;
  emit(model, 'charge_failed');
  if (decision === 'hard') open.giveUpOn = open.day;
  else open.next = chargeAfterEarlyFailure(means, open.early, today, open.day);
}

function planRetry(
  model: ModelSubscription,
  { dueOn, state, decision }: Attempt,
  outcome: 'refused' | 'expired',
  today: string,
): void {
  const open = model.open!;
  // The bank has not decided about a charge that was canceled.
  const isFinal = state === 'refused' && decision === 'hard';
  open.retriesFrom ??= retriesFrom(model.means, dueOn, today);
  open.next = isFinal ? null : retryOf(model, open, today, dueOn);
  open.giveUpOn = isFinal ? null : giveUpDay(model.means, open.retriesFrom);
  if (open.next === null && open.giveUpOn === null) giveUp(model, open, 'charge_failed');
  else fallBehind(model, open, outcome);
}

function fallBehind(model: ModelSubscription, open: OpenCycle, outcome: 'refused' | 'expired'): void {
  open.invoice.status = 'past_due';
  if (isOverdue(model)) emit(model, 'charge_failed');
  else become(model, failedStatus(model, outcome), 'charge_failed', 'past_due');
}

/** `events`: those that come first. */
export function giveUp(model: ModelSubscription, open: OpenCycle, ...events: readonly string[]): void {
  open.giveUpOn = null;
  open.invoice.status = 'uncollectible';
  become(model, unpaidStatus(model.means), ...events, 'unpaid');
}

/** The overdue cycle of a canceled subscription waits for a reactivation. */
function failAfterEnd(model: ModelSubscription, open: OpenCycle, today: string): void {
  emit(model, 'charge_failed');
  open.attempt = null;
  if (isFinished(model) || today < open.day) {
    dropCycle(model, open);
    if (model.status === 'canceled') model.endsAt = paidUntil(model, open);
  } else if (open.invoice.status === 'open') open.invoice.status = 'past_due';
}

/** The end of the paid period, or of the trial. */
export function paidUntil({ paidPeriod, schedule }: ModelSubscription, open: OpenCycle | null): number {
  return stepAt(paidPeriod?.end ?? open?.day ?? schedule.day);
}

/** The cycle is not charged any more. */
export function dropCycle(model: ModelSubscription, open: OpenCycle): void {
  open.invoice.status = 'void';
  model.credit += open.invoice.credit;
  model.open = null;
}

/** The attempts of a cycle begin again. */
export function restart(open: OpenCycle): void {
  open.next = null;
  open.failures = 0;
  open.early = 0;
  open.unsent = 0;
  open.retriesFrom = null;
  open.giveUpOn = null;
}

/** Cancels a charge that is not paid, if that is still possible: until 22:00 of the day before for one that is sent. */
export function withdraw(model: ModelSubscription, now: number): boolean {
  const attempt = model.open?.attempt ?? null;
  if (attempt === null || attempt.state === 'processing') return false;
  const isAtPayersBank =
    attempt.method === 'pix_recurring' && attempt.state === 'waiting' && !waitsForMandate(model);
  if (isAtPayersBank && now >= instantOf(plusDays(attempt.dueOn, -1), '22:00')) return false;
  attempt.state = 'canceled';
  model.open!.attempt = null;
  return true;
}
