import { startOfMerchantDay } from '../../../domain/local-time.ts';
import type { Billing } from '../../../domain/subscriptions/billing.ts';
import { canCancel, cancelBilling } from '../../../domain/subscriptions/cancel-billing.ts';
import type { BillingChange } from '../../../domain/subscriptions/engine/change.ts';
import { nextStep } from '../../../domain/subscriptions/engine/next-step.ts';
import { type AttemptOutcome, settleAttempt } from '../../../domain/subscriptions/engine/settle-attempt.ts';
import { takeStep } from '../../../domain/subscriptions/engine/take-step.ts';
import {
  chargeNewMeans,
  endAfterFirstFailure,
  isFirstCharge,
} from '../../../domain/subscriptions/first-charge-failure.ts';
import { authorizeMandate, rejectMandate } from '../../../domain/subscriptions/mandate-outcome.ts';
import { billingRules } from '../../../domain/subscriptions/methods/index.ts';
import type { BillingMethod } from '../../../domain/subscriptions/methods/names.ts';
import {
  chargeOverdueCycle,
  reactivateBilling,
  reactivationProblem,
} from '../../../domain/subscriptions/reactivate-billing.ts';
import { DUNNING_DAYS } from '../../../domain/subscriptions/retry-days.ts';
import { revokeBilling } from '../../../domain/subscriptions/revoke-billing.ts';
import { startBilling } from '../../../domain/subscriptions/start-billing.ts';
import { afternoonOf, monthlyCard, waitingMandate } from './play-billing.ts';

const START = '2026-01-31';
const OUTCOMES: readonly AttemptOutcome[] = [
  { kind: 'paid' },
  { kind: 'refused', mayRetry: true },
  { kind: 'refused', mayRetry: false },
  { kind: 'expired' },
];

interface Situation {
  readonly billing: Billing;
  readonly now: Date;
}

/**
 * Drives the billing engine through everything that can happen to a subscription of two cycles by one method: each step
 * of the clock, answer of the acquirer, and request of the merchant. Returns `move: from → to` of every change of its
 * status.
 */
export function engineChanges(method: BillingMethod): string[] {
  const found = new Set<string>();
  const situations = new Map<string, Situation>();
  const add = ({ billing }: BillingChange, now: Date) => {
    const key = keyOf(billing);
    if (!situations.has(key)) situations.set(key, { billing, now });
  };
  for (const change of starts(method)) add(change, afternoonOf(START));
  // The iteration includes situations that are added during it.
  for (const { billing, now } of situations.values()) {
    for (const [change, at] of possibleChanges(billing, now)) {
      let from = billing.status;
      for (const { move, status } of change.moves) {
        if (status !== from) found.add(`${move}: ${from} → ${status}`);
        from = status;
      }
      add(change, at);
    }
  }
  return [...found].sort();
}

/** New subscriptions: charged now, charged later, with a trial, and with a mandate that allows no retries. */
function starts(method: BillingMethod): BillingChange[] {
  const now = afternoonOf(START);
  const bands = [1, 2].map((cycle) => ({ start: cycle, end: cycle, amount_centavos: 10_000 }));
  const plan = { offerId: null, interval: 'monthly' as const, ladder: bands };
  const { needsMandate } = billingRules(method);
  const mandates = needsMandate
    ? [waitingMandate(now), waitingMandate(now, { allowsRetries: false })]
    : [null];
  return mandates.flatMap((mandate) =>
    [{}, { trialDays: 7 }, { startOn: '2026-03-10' }].map((other) =>
      startBilling(monthlyCard(START, { method, mandate, plan, ...other }), now),
    ),
  );
}

/** What decides the further history, without days and amounts. */
function keyOf({ status, trialDays, paidCycles, openCycle, mandate }: Billing): string {
  const cycle = openCycle && {
    ...openCycle,
    attempt: openCycle.attempt?.isSent,
    next: openCycle.next !== null,
    retriesFrom: null,
    giveUpOn: openCycle.giveUpOn !== null,
    billingDate: null,
  };
  return JSON.stringify([status, trialDays, paidCycles, cycle, mandate]);
}

/** Each change that can happen next, with its time. */
function possibleChanges(billing: Billing, now: Date): (readonly [BillingChange, Date])[] {
  const { status, paidCycles, openCycle } = billing;
  const changes: (readonly [BillingChange | null, Date])[] = [
    [canCancel({ status }) ? cancelBilling(billing, 'merchant', now) : null, now],
    [reactivationProblem(billing, now) === null ? reactivateBilling(billing, now) : null, now],
    [paidCycles > 0 ? revokeBilling(billing, paidCycles, now) : null, now],
    [chargeOverdueCycle(billing, now), now],
    [authorizeMandate(billing), now],
    [rejectMandate(billing), now],
  ];
  const step = nextStep(billing);
  const stepAt = step !== null && step.dueAt > now ? step.dueAt : now;
  if (step !== null) changes.push([takeStep(billing, step, stepAt), stepAt]);
  if (openCycle?.attempt?.isSent) {
    const dueDay = startOfMerchantDay(openCycle.attempt.dueOn);
    const at = dueDay > now ? dueDay : now;
    const terms = { now: at, dunningDays: DUNNING_DAYS };
    for (const outcome of OUTCOMES) changes.push([settleAttempt(billing, outcome, terms), at]);
    if (isFirstCharge(billing)) {
      changes.push([endAfterFirstFailure(billing), at], [chargeNewMeans(billing, at), at]);
    }
  }
  return changes.flatMap(([change, at]) => (change === null ? [] : [[change, at] as const]));
}
