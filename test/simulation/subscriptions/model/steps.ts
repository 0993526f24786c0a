/** What happens to a subscription when time passes: the steps of the service, and what payers and their banks do. */
import { dayOf, expiryOf, laterOf, plusDays, stepAt } from '../calendar.ts';
import {
  beginPlan,
  charge,
  dropCycle,
  fail,
  giveUp,
  openCycle,
  restart,
  sendByMandate,
  settle,
  upcoming,
} from './cycle.ts';
import { chargeNow, firstCharge, isIssued, retryOf, SEND_DAYS } from './methods.ts';
import {
  become,
  dropPendingMandate,
  isFinished,
  type ModelSubscription,
  type OpenCycle,
  type Send,
  waitsForMandate,
} from './state.ts';

interface Due {
  readonly at: number;
  run(now: number, send: Send): void;
}

/** A charge that has expired is expired before anything else is done. */
interface BankDue extends Due {
  readonly isExpiry: boolean;
}

/**
 * The next thing that happens; null if time changes nothing. Charges wait while the merchant is not approved. `first`:
 * who acts first if both the service and the bank have something to do.
 */
export function nextDue(
  model: ModelSubscription,
  mayCharge: boolean,
  now: number,
  first: 'service' | 'bank',
): Due | null {
  const service = serviceStep(model, mayCharge);
  const bank = bankStep(model);
  if (service === null || bank === null) return service ?? bank;
  const [at, other] = [Math.max(service.at, now), Math.max(bank.at, now)];
  if (at === other) return first === 'bank' || bank.isExpiry ? bank : service;
  return at < other ? service : bank;
}

/** The payer's bank pays or refuses a charge by a mandate, or a charge that the customer has not paid expires. */
function bankStep(model: ModelSubscription): BankDue | null {
  if (waitsForMandate(model)) return null;
  const attempt = model.open?.attempt ?? null;
  if (attempt?.state !== 'waiting') return null;
  if (!isIssued(attempt.method)) {
    return { at: stepAt(attempt.dueOn), isExpiry: false, run: (now) => settle(model, now) };
  }
  return {
    at: attempt.expiresAt ?? expiryOf(attempt.dueOn),
    isExpiry: true,
    run: (now) => {
      attempt.state = 'expired';
      fail(model, attempt, 'expired', now);
    },
  };
}

function serviceStep(model: ModelSubscription, mayCharge: boolean): Due | null {
  if (isFinished(model)) return null;
  const { means, open } = model;
  if (model.status === 'canceled') {
    // It waits for the outcome of its charge, which can be paid.
    return open?.attempt ? null : { at: model.endsAt!, run: () => end(model) };
  }
  if (means.method === 'pix_recurring' && waitsForMandate(model)) {
    return { at: means.mandate.qrExpiresAt, run: () => expireMandate(model) };
  }
  if (open === null) return stepBetweenCycles(model, mayCharge);
  const begin = open.beginsPlan ? { at: stepAt(open.day), run: () => beginPlan(model, open) } : null;
  const due = stepOfCycle(model, open);
  if (begin !== null && (due === null || begin.at <= due.at)) return begin;
  return due?.isCharge && !mayCharge ? null : due;
}

function stepOfCycle(model: ModelSubscription, open: OpenCycle): (Due & { isCharge: boolean }) | null {
  const { attempt, next, giveUpOn } = open;
  if (attempt?.state === 'scheduled') {
    const at = stepAt(plusDays(attempt.dueOn, -SEND_DAYS));
    return { at, isCharge: true, run: (now) => sendScheduled(model, open, now) };
  }
  if (attempt === null && next !== null) {
    const at = Math.max(stepAt(next.on), next.notBefore ?? 0);
    const run: Due['run'] = (now, send) => attemptNext(model, next.dueOn, now, send);
    return { at, isCharge: true, run };
  }
  return giveUpOn === null ? null : { at: stepAt(giveUpOn), isCharge: false, run: () => giveUp(model, open) };
}

/** The next cycle is opened on a later day than the latest charge was made. */
function stepBetweenCycles(model: ModelSubscription, mayCharge: boolean): Due | null {
  const next = upcoming(model);
  if (next === null) {
    return { at: stepAt(model.paidPeriod!.end), run: () => complete(model) };
  }
  if (!mayCharge) return null;
  const { cycle, day, amount, credit } = next;
  const on = amount === credit ? day : firstCharge(model, cycle, day).on;
  const earliest = model.lastAttemptOn === null ? on : plusDays(model.lastAttemptOn, 1);
  return { at: stepAt(laterOf(on, earliest)), run: (now, send) => openCycle(model, now, send) };
}

/** Retries by a mandate have their days. One whose day has passed is not made. */
function attemptNext(model: ModelSubscription, dueOn: string, now: number, send: Send): void {
  const open = model.open!;
  const isLateRetry = dueOn < dayOf(now) && open.retriesFrom !== null;
  if (isLateRetry && model.means.method === 'pix_recurring') skipRetry(model, open, now);
  else charge(model, { on: dueOn, expiresAt: null }, now, send);
}

/** No charge is sent after its due date: it is canceled, and made again. */
function sendScheduled(model: ModelSubscription, open: OpenCycle, now: number): void {
  const attempt = open.attempt!;
  if (attempt.dueOn >= dayOf(now)) sendByMandate(model, attempt);
  else {
    attempt.state = 'canceled';
    open.attempt = null;
    if (open.retriesFrom !== null) skipRetry(model, open, now);
    else open.next = chargeNow(model.means, dayOf(now), open.day);
  }
}

function skipRetry(model: ModelSubscription, open: OpenCycle, now: number): void {
  open.next = retryOf(model, open, dayOf(now));
  if (open.next === null) giveUp(model, open);
}

function complete(model: ModelSubscription): void {
  dropPendingMandate(model);
  become(model, 'completed', 'completed');
}

/** A charge that is under way keeps its cycle: its money counts if it comes. */
function end(model: ModelSubscription): void {
  become(model, 'ended', 'ended');
  dropPendingMandate(model);
  if (model.open !== null && model.open.attempt === null) dropCycle(model, model.open);
}

/** The payer did not authorize the mandate in 30 minutes. */
function expireMandate(model: ModelSubscription): void {
  const { means, open } = model;
  if (means.method === 'pix_recurring' && means.mandate.state === 'created') means.mandate.state = 'ended';
  if (open?.attempt) open.attempt.state = 'expired';
  if (open !== null) {
    restart(open);
    dropCycle(model, open);
  }
  dropPendingMandate(model);
  become(model, 'ended', 'ended');
}
