import { merchantDay } from '../local-time.ts';
import type { Billing } from './billing.ts';
import { laterDay } from './billing-dates.ts';
import { canWithdraw, hasMandatePayment } from './cancel-billing.ts';
import { type BillingChange, changeOf, makeMoves, type WantedMove } from './engine/change.ts';
import type { MandateTerms } from './mandate-terms.ts';
import { billingRules } from './methods/index.ts';
import type { BillingMethod } from './methods/names.ts';
import { withNewAttempts } from './reactivate-billing.ts';
import { subscriptionMachine } from './subscription-moves.ts';

/** Why a subscription cannot change its payment method; null if it can. */
export function methodChangeProblem(
  { status, plan }: Billing,
  method: BillingMethod,
): { readonly about: 'status' | 'method'; readonly sentence: string } | null {
  if (!subscriptionMachine.allows('change_method', status)) {
    return {
      about: 'status',
      sentence: `The payment method of a subscription that is ${status} cannot change.`,
    };
  }
  if (plan.interval === 'weekly' && !billingRules(method).needsMandate) {
    return { about: 'method', sentence: 'A weekly subscription can only be paid by Pix recurring.' };
  }
  return null;
}

/**
 * Gives a subscription another means of payment, or an authorized mandate. If a payment of the old method is open, and
 * `canWithdraw` and its state (`mayWithdraw`) allow it, the payment is withdrawn, and the new method charges its cycle. Call
 * `chargeOverdueCycle` afterwards for an overdue cycle without an open payment.
 */
export function changeMethod(
  billing: Billing,
  { method, mandate }: { readonly method: BillingMethod; readonly mandate: MandateTerms | null },
  by: 'merchant' | 'acquirer',
  now: Date,
  mayWithdraw = true,
): BillingChange {
  const { status, openCycle } = billing;
  const rules = billingRules(method);
  const moves = makeMoves(status, by, movesOf(billing, method));
  const isWithdrawn = mayWithdraw && openCycle?.attempt != null && canWithdraw(billing, openCycle, now);
  const changed: Billing = { ...billing, method, mandate };
  if (openCycle === null || !isWithdrawn) {
    const payment = hasMandatePayment(billing) ? ({ kind: 'withdraw', cycle: null } as const) : null;
    return changeOf(changed, { moves, payment });
  }
  const planned = rules.firstAttempt(openCycle.billingDate, false);
  const next = { ...planned, createOn: laterDay(planned.createOn, merchantDay(now)) };
  return changeOf(
    { ...changed, openCycle: { ...withNewAttempts(openCycle), attempt: null, next } },
    { moves, payment: { kind: 'withdraw', cycle: openCycle.cycle } },
  );
}

/** A trial that waited for the payer to authorize a mandate starts now. */
function movesOf({ status, trialDays }: Billing, method: BillingMethod): WantedMove[] {
  const isPaidUp = status === 'active' || status === 'payment_approved';
  if (isPaidUp) return [{ move: 'change_method', to: billingRules(method).paidStatus }];
  const startsTrial = status === 'payment_pending' && trialDays > 0;
  return startsTrial ? [{ move: 'change_method' }, { move: 'start_trial' }] : [{ move: 'change_method' }];
}
