/** Charges that are withdrawn, and that the acquirer does not cancel. */
import { dayOf, expiryOf, plusDays, stepAt } from '../calendar.ts';
import { restart } from './cycle.ts';
import { isIssued } from './methods.ts';
import type { Attempt, Means, ModelSubscription, OpenCycle } from './state.ts';

/** A charge that was sent and can be paid, with what it was made for. */
export interface SentCharge {
  readonly open: OpenCycle;
  readonly attempt: Attempt;
  readonly means: Means;
}

/** Null if no charge can be paid now, or if its end ends the subscription too. */
export function sentCharge({ open, means, status }: ModelSubscription): SentCharge | null {
  const attempt = open?.attempt ?? null;
  if (attempt?.state !== 'waiting' || status === 'payment_pending') return null;
  return { open: open!, attempt, means };
}

/** The acquirer did not cancel the charge: its cycle is open as before, and access lasts until its outcome is known. */
export function keepCharge(model: ModelSubscription, { open, attempt, means }: SentCharge): void {
  attempt.state = 'waiting';
  if (model.open === null) {
    restart(open);
    open.invoice.status = 'open';
    open.beginsPlan = false;
    model.credit = Math.max(0, model.credit - open.invoice.credit);
    model.open = open;
  }
  if (attempt.method === 'pix_recurring') model.lastMandateDueOn = attempt.dueOn;
  open.attempt = attempt;
  open.next = null;
  if (model.means !== means) attempt.replaced ??= means;
  if (model.endsAt !== null) model.endsAt = Math.max(model.endsAt, decidedAt(attempt));
}

/** The first step after the last day on which a charge can be paid: a boleto or a Pix on the next business day. */
export function decidedAt({ method, dueOn }: Pick<Attempt, 'method' | 'dueOn'>): number {
  return stepAt(isIssued(method) ? dayOf(expiryOf(dueOn)) : plusDays(dueOn, 1));
}
