import { merchantDay } from '../local-time.ts';
import type { Billing, OpenCycle } from './billing.ts';
import { attemptNow, beginAttempt, withNewAttempts } from './engine/attempt.ts';
import { type BillingChange, changeOf, makeMoves } from './engine/change.ts';
import { nextCharge } from './engine/next-charge.ts';
import type { InvoiceMove } from './invoice-moves.ts';
import { billingRules } from './methods/index.ts';
import { subscriptionMachine } from './subscription-moves.ts';
import { isOverdue } from './subscription-status.ts';

/** Why a subscription cannot be reactivated; null if it can. The step that ends it can be late. */
export function reactivationProblem(billing: Billing, now: Date): string | null {
  if (!subscriptionMachine.allows('reactivate', billing.status))
    return 'Only a canceled subscription can be reactivated.';
  if (!billingRules(billing.method).canReactivate)
    return 'The cancellation of a Pix recurring subscription is final.';
  if (billing.paidCycles === 0) return 'A subscription that was never charged cannot be reactivated.';
  if (billing.endsAt! <= now) return 'The access of the subscription has ended.';
  if (nextCharge(billing) === null) return 'The subscription has no further charge.';
  return null;
}

/**
 * Reactivates a canceled subscription. The next charge keeps its date; an overdue cycle is charged at the next step,
 * unless its payment is under way.
 */
export function reactivateBilling(billing: Billing, now: Date): BillingChange {
  const { openCycle } = billing;
  const today = merchantDay(now);
  const move = openCycle && overdueMove(openCycle, today);
  const cycle: OpenCycle | null = openCycle && {
    ...withNewAttempts(openCycle),
    invoice: move === null ? openCycle.invoice : 'past_due',
    next: openCycle.attempt === null ? attemptNow(billing, openCycle, today) : null,
  };
  return changeOf(
    { ...billing, openCycle: cycle, endsAt: null },
    {
      moves: makeMoves(billing.status, 'merchant', [{ move: 'reactivate' }]),
      invoices: openCycle && move ? [{ cycle: openCycle.cycle, move, by: 'merchant' }] : [],
    },
  );
}

/** The move by which the invoice of an overdue cycle becomes `past_due`; null if it is, or if no cycle is overdue. */
function overdueMove({ invoice, billingDate }: OpenCycle, today: string): InvoiceMove | null {
  if (invoice === 'uncollectible') return 'retry';
  return invoice === 'open' && billingDate <= today ? 'fall_behind' : null;
}

/**
 * Charges an overdue cycle now, by the new means of payment of the subscription (contract row 8.9). The retries start
 * again, but a cycle that was given up is not retried. Null if no cycle is overdue, or if its payment has no outcome
 * yet.
 */
export function chargeOverdueCycle(billing: Billing, now: Date): BillingChange | null {
  const { status, openCycle } = billing;
  if (!isOverdue(status) || openCycle === null || openCycle.attempt !== null) return null;
  const today = merchantDay(now);
  if (today < openCycle.billingDate) return null;
  const planned = attemptNow(billing, openCycle, today);
  const begun = beginAttempt(billing, withNewAttempts(openCycle), planned, today);
  return changeOf(begun.billing, { payment: begun.payment });
}
