/** What a payer does. */
import { dayOf } from '../calendar.ts';
import { fail, succeed } from './cycle.ts';
import { stillFits, useDayOfMonth } from './mandate.ts';
import { cancel, changePlan, useMeans } from './merchant.ts';
import { type Attempt, become, emit, type ModelSubscription } from './state.ts';

/** The payer pays a charge of the open cycle: the present one, or an earlier one that had expired. */
export function pay(model: ModelSubscription, attempt: Attempt): void {
  const open = model.open!;
  attempt.state = 'paid';
  if (open.attempt !== null && open.attempt !== attempt) open.attempt.state = 'canceled';
  succeed(model, open);
}

/** The payer authorizes the mandate, and pays the first charge with it if there is one (rows 8.5 and 13.27). */
export function authorize(model: ModelSubscription, now: number): boolean {
  const { requestedMandate: mandate, pendingMandate, open, trialDays } = model;
  if (mandate === null || !isWaiting(model, now)) return false;
  mandate.state = 'authorized';
  model.pendingMandate = null;
  if (mandate === pendingMandate) {
    const { plan } = mandate;
    if (!stillFits(model, mandate)) return true;
    if (plan !== null) useDayOfMonth(model);
    useMeans(model, { method: 'pix_recurring', mandate }, now, chargesNothing);
    if (plan !== null) changePlan(model, plan, 'next_cycle', { delta: 0 });
  } else if (open !== null) pay(model, open.attempt!);
  else if (trialDays > 0) become(model, 'trial_started', 'updated');
  return true;
}

/** Whether the payer can still authorize the mandate that was requested last. */
export function isWaiting({ requestedMandate }: ModelSubscription, now: number): boolean {
  return requestedMandate?.state === 'created' && now < requestedMandate.qrExpiresAt;
}

/** A mandate charges an overdue cycle at the next step. */
function chargesNothing(): never {
  throw new Error('A mandate charges no card.');
}

/** The payer's bank does not accept the mandate. Nothing is retried. */
export function reject(model: ModelSubscription): void {
  const { requestedMandate: mandate, pendingMandate, open } = model;
  mandate!.state = 'rejected';
  if (mandate === pendingMandate) model.pendingMandate = null;
  else if (open !== null) {
    open.attempt!.state = 'refused';
    open.attempt = null;
    emit(model, 'charge_failed');
  }
}

/**
 * The payer ends the mandate at the bank, which then pays only a charge that is due today. `first`: which of the two
 * notifications arrives first, that of the mandate or that of the charge.
 */
export function endMandate(model: ModelSubscription, now: number, first: 'mandate' | 'charge'): boolean {
  const { means, open } = model;
  if (means.method !== 'pix_recurring' || means.mandate.state !== 'authorized') return false;
  if (first === 'mandate') cancel(model, now);
  const attempt = open?.attempt ?? null;
  const isSent = attempt?.method === 'pix_recurring' && attempt.state === 'waiting';
  if (isSent && attempt.dueOn > dayOf(now)) {
    attempt.state = 'canceled';
    fail(model, attempt, 'refused', now);
  }
  if (first === 'charge') cancel(model, now);
  return true;
}

/** The charges of the open cycle that can be paid now: a boleto also after it has expired. */
export function payable({ open }: ModelSubscription): Attempt[] {
  if (open === null) return [];
  return open.invoice.attempts.filter(
    ({ method, state }) =>
      (state === 'waiting' && method !== 'pix_recurring') || (state === 'expired' && method === 'bank_slip'),
  );
}
