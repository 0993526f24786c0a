import { merchantDay } from '../../local-time.ts';
import { type Billing, NOT_ATTEMPTED, type OpenCycle } from '../billing.ts';
import { billingRules } from '../methods/index.ts';
import { attemptNow, beginAttempt, firstAttempt } from './attempt.ts';
import { type BillingChange, changeOf, type InvoiceChange, makeMoves } from './change.ts';
import type { Step } from './next-step.ts';
import { afterPayment, successMoves } from './paid-cycle.ts';
import { retriesOf } from './retries.ts';
import { upcomingCycle } from './upcoming-cycle.ts';
import { withoutOpenCycle } from './voided-cycle.ts';

/** Takes the step that is due: `dueStep` returned it. `now` is the merchant's time. */
export function takeStep(billing: Billing, { kind }: Step, now: Date): BillingChange {
  const today = merchantDay(now);
  switch (kind) {
    case 'open_cycle':
      return openCycle(billing, today);
    case 'begin_plan':
      return beginPlan(billing);
    case 'attempt':
      return attempt(billing, today);
    case 'send':
      return send(billing, today);
    case 'give_up':
      return giveUp(billing, billing.openCycle!);
    case 'complete':
      return changeOf(billing, { moves: makeMoves(billing.status, 'clock', [{ move: 'complete' }]) });
    case 'end':
      return end(billing);
    case 'expire_mandate':
      return expireMandate(billing);
  }
}

/**
 * Opens the next cycle, by the pending plan if there is one. That plan begins on the billing date, which can be later.
 * If the credit pays all of the cycle, it is paid without a payment.
 */
export function openCycle(billing: Billing, today: string): BillingChange {
  const upcoming = upcomingCycle(billing);
  if (upcoming === null) throw new Error('The plan has no further cycle.');
  const { cycle, billingDate, plan, schedule, amount_centavos, credit_centavos } = upcoming;
  const opened: OpenCycle = {
    cycle,
    billingDate,
    plan: billing.pendingPlan ?? undefined,
    interval: plan.interval,
    amount_centavos,
    credit_centavos,
    ...NOT_ATTEMPTED,
  };
  const left_centavos = billing.credit_centavos - credit_centavos;
  const planned = { ...billing, schedule, pendingPlan: null, credit_centavos: left_centavos };
  const invoice: InvoiceChange = { cycle, move: 'open', by: 'clock' };
  if (amount_centavos === credit_centavos) {
    return changeOf(afterPayment({ ...planned, lastAttemptOn: today }, opened), {
      moves: makeMoves(billing.status, 'clock', successMoves(billing)),
      invoices: [invoice, { cycle, move: 'pay', by: 'clock' }],
    });
  }
  const begun = beginAttempt(planned, opened, firstAttempt(planned, opened, today), today);
  const hasBegun = opened.plan !== undefined && billingDate <= today;
  const { billing: after, moves } = hasBegun ? beginPlan(begun.billing) : changeOf(begun.billing);
  return changeOf(after, { moves, invoices: [invoice], payment: begun.payment });
}

/** The plan of the open cycle replaces the present one. */
function beginPlan(billing: Billing): BillingChange {
  const { plan = billing.plan, ...cycle } = billing.openCycle!;
  return changeOf(
    { ...billing, plan, openCycle: cycle },
    { moves: makeMoves(billing.status, 'clock', [{ move: 'begin_plan' }]) },
  );
}

function attempt(billing: Billing, today: string): BillingChange {
  const cycle = billing.openCycle!;
  const planned = cycle.next ?? attemptNow(billing, cycle, today);
  const { retriesOnlyOnTheirDay } = billingRules(billing.method);
  if (retriesOnlyOnTheirDay && cycle.retriesFrom !== null && planned.dueOn < today) {
    return skipRetry(billing, cycle, cycle.retriesFrom, today);
  }
  const begun = beginAttempt(billing, cycle, planned, today);
  return changeOf(begun.billing, { payment: begun.payment });
}

/** Sends the scheduled payment. No payment is sent after its due date: it is canceled, and another one follows. */
function send(billing: Billing, today: string): BillingChange {
  const cycle = billing.openCycle!;
  if (cycle.attempt!.dueOn < today) return dropMissed(billing, { ...cycle, attempt: null }, today);
  const openCycle = { ...cycle, attempt: { ...cycle.attempt!, isSent: true } };
  return changeOf({ ...billing, openCycle }, { payment: { kind: 'send', cycle: cycle.cycle } });
}

function dropMissed(billing: Billing, cycle: OpenCycle, today: string): BillingChange {
  const { retriesFrom } = cycle;
  const change =
    retriesFrom === null
      ? changeOf({ ...billing, openCycle: { ...cycle, next: attemptNow(billing, cycle, today) } })
      : skipRetry(billing, cycle, retriesFrom, today);
  return { ...change, payment: { kind: 'withdraw', cycle: cycle.cycle } };
}

/** Plans the next retry in place of one whose day has passed. */
function skipRetry(billing: Billing, cycle: OpenCycle, retriesFrom: string, today: string): BillingChange {
  const terms = { retriesFrom, isFirst: false, today, failedDueOn: today, dunningDays: [] };
  const { next } = retriesOf(billing, cycle, terms);
  return next === null ? giveUp(billing, cycle) : changeOf({ ...billing, openCycle: { ...cycle, next } });
}

function giveUp(billing: Billing, cycle: OpenCycle): BillingChange {
  const openCycle: OpenCycle = { ...cycle, invoice: 'uncollectible', next: null, giveUpOn: null };
  const to = billingRules(billing.method).unpaidStatus;
  return changeOf(
    { ...billing, openCycle },
    {
      moves: makeMoves(billing.status, 'clock', [{ move: 'give_up', to }]),
      invoices: [{ cycle: openCycle.cycle, move: 'give_up', by: 'clock' }],
    },
  );
}

/** The cycle of a payment without an outcome stays open, so that money that arrives is recorded. */
function end(billing: Billing): BillingChange {
  const cycle = billing.openCycle;
  const isUnderWay = cycle?.attempt?.isSent === true;
  return changeOf(isUnderWay ? billing : withoutOpenCycle(billing), {
    moves: makeMoves(billing.status, 'clock', [{ move: 'end' }]),
    invoices: cycle === null || isUnderWay ? [] : [{ cycle: cycle.cycle, move: 'void', by: 'clock' }],
  });
}

/** The payer did not authorize the mandate, or did not pay the first charge, before the QR code expired. */
export function expireMandate(billing: Billing): BillingChange {
  const { mandate, openCycle } = billing;
  const isOpen = mandate!.state === 'created';
  const wasRefused = openCycle?.attempt === null;
  return changeOf(
    { ...withoutOpenCycle(billing), mandate: isOpen ? { ...mandate!, state: 'expired' } : mandate },
    {
      moves: makeMoves(billing.status, 'clock', [{ move: 'end' }]),
      invoices: openCycle === null ? [] : [{ cycle: openCycle.cycle, move: 'void', by: 'clock' }],
      payment: isOpen && !wasRefused ? { kind: 'expire', cycle: openCycle?.cycle ?? null } : null,
    },
  );
}
