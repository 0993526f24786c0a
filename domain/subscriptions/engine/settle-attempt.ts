import { addDays } from '../../business-days.ts';
import { merchantDay } from '../../local-time.ts';
import { pauseAfterUnsent_ms } from '../../payments/unsent-schedule.ts';
import { type Attempt, type Billing, type OpenCycle, waitsForPayer } from '../billing.ts';
import { laterDay } from '../billing-dates.ts';
import { endOfPaidTime } from '../cancel-billing.ts';
import { billingRules } from '../methods/index.ts';
import type { AttemptFailure } from '../methods/method.ts';
import { isClosed, isOverdue } from '../subscription-status.ts';
import { attemptNow, withNewAttempts } from './attempt.ts';
import { type BillingChange, changeOf, makeMoves, type WantedMove } from './change.ts';
import { afterPayment, successMoves } from './paid-cycle.ts';
import { retriesOf } from './retries.ts';
import { expireMandate } from './take-step.ts';
import { withoutOpenCycle } from './voided-cycle.ts';

/** The result of an attempt, as the acquirer reported it. */
export type AttemptOutcome =
  | { readonly kind: 'paid' }
  /** `mayRetry`: another attempt with the same means of payment can succeed. */
  | { readonly kind: 'refused'; readonly mayRetry: boolean }
  | { readonly kind: 'expired' }
  /**
   * The acquirer has never received the charge: the process was killed before, or the acquirer takes no commands now.
   */
  | { readonly kind: 'not_sent' };

/**
 * The attempts of a day: 7 in the first hour, and then one each hour until midnight and at 06:00. Those that follow
 * count as failures at once.
 */
const MAX_UNSENT = 26;
/** After how many failures before the billing date a cycle is charged again at once. */
const MAX_EARLY_FAILURES = 1;

export interface SettlingTerms {
  /** Merchant's time. */
  readonly now: Date;
  /** The merchant's dunning schedule. */
  readonly dunningDays: readonly number[];
  /** Whether the means of payment was replaced after the attempt began. */
  readonly isByFormerMeans?: boolean;
}

/** Applies the result of the open cycle's attempt. A result may also arrive after the subscription was canceled. */
export function settleAttempt(
  billing: Billing,
  outcome: AttemptOutcome,
  { now, dunningDays, isByFormerMeans = false }: SettlingTerms,
): BillingChange {
  const cycle = billing.openCycle;
  if (cycle === null) throw new Error('The subscription has no open cycle.');
  if (outcome.kind === 'paid') return settlePaid(billing, cycle);
  const unsent = outcome.kind === 'not_sent' ? (cycle.unsent ?? 0) + 1 : 0;
  const ended = { ...cycle, attempt: null, unsent };
  if (isClosed(billing.status)) return settleAfterEnd(billing, ended, merchantDay(now));
  const isWaiting = waitsForPayer(billing);
  if (outcome.kind === 'not_sent' && unsent < MAX_UNSENT && !isWaiting) {
    return attemptAgain(billing, ended, cycle.attempt, { now, isByFormerMeans });
  }
  if (isWaiting && outcome.kind === 'expired') return expireMandate(billing);
  const failed = { ...ended, failures: cycle.failures + 1 };
  const failure = outcome.kind === 'expired' ? 'expired' : 'refused';
  if (isByFormerMeans) return settleReplaced(billing, failed, failure, now);
  // The first charge, by which the payer also authorizes the mandate, is not retried, even if it was never sent.
  if (isWaiting || cycle.invoice === 'uncollectible') {
    return changeOf({ ...billing, openCycle: failed }, { moves: failureMoves(billing) });
  }
  const today = merchantDay(now);
  const rules = billingRules(billing.method);
  const isFinal = outcome.kind === 'refused' && !outcome.mayRetry;
  // The retries of a charge by a mandate have their days, whenever it fails.
  if (today < cycle.billingDate && !rules.needsMandate) return settleEarly(billing, failed, isFinal, today);
  const attempt = cycle.attempt ?? { dueOn: today, isSent: true };
  const retriesFrom = cycle.retriesFrom ?? rules.retriesFrom(attempt, today);
  const isFirst = cycle.retriesFrom === null;
  const { next, giveUpOn } = isFinal
    ? { next: null, giveUpOn: null }
    : retriesOf(billing, failed, { retriesFrom, isFirst, today, failedDueOn: attempt.dueOn, dunningDays });
  const planned = { ...failed, retriesFrom, next, giveUpOn };
  return next === null && giveUpOn === null
    ? settleGivenUp(billing, planned)
    : settleOverdue(billing, planned, failure);
}

function settlePaid(billing: Billing, cycle: OpenCycle): BillingChange {
  const { mandate } = billing;
  const isAuthorized = mandate?.state === 'created';
  const authorized = isAuthorized
    ? { ...billing, mandate: { ...mandate, state: 'authorized' as const } }
    : billing;
  return changeOf(afterPayment(authorized, cycle), {
    moves: makeMoves(billing.status, 'acquirer', successMoves(billing)),
    invoices: [{ cycle: cycle.cycle, move: 'pay', by: 'acquirer' }],
  });
}

/**
 * The attempt is made again, at first at once and then after longer and longer pauses. It counts as a failure only
 * after the acquirer has received no attempt for a day. It is not due earlier than the merchant has chosen.
 *
 * A charge by a mandate keeps its due date if it can still be sent in time for it. A retry keeps its day in any case,
 * because the last one is due 7 days after the charge. If the day has passed, the step drops the retry. If the means of
 * payment was replaced, the retries start again.
 */
function attemptAgain(
  billing: Billing,
  cycle: OpenCycle & { readonly unsent: number },
  unsent: Attempt | null,
  { now, isByFormerMeans }: Required<Pick<SettlingTerms, 'now' | 'isByFormerMeans'>>,
): BillingChange {
  const notBefore = new Date(now.getTime() + pauseAfterUnsent_ms(cycle.unsent));
  const planned = attemptNow(billing, cycle, merchantDay(now));
  const again = isByFormerMeans ? { ...withNewAttempts(cycle), unsent: cycle.unsent } : cycle;
  const { retriesOnlyOnTheirDay, sendLead_days } = billingRules(billing.method);
  const dueOn = unsent?.method === billing.method ? unsent.dueOn : planned.dueOn;
  const isInTime = merchantDay(notBefore) <= addDays(dueOn, -sendLead_days);
  const keepsDay = retriesOnlyOnTheirDay && (again.retriesFrom !== null || isInTime);
  const next = {
    ...planned,
    dueOn: keepsDay ? dueOn : laterDay(dueOn, planned.dueOn),
    notBefore: notBefore.toISOString(),
  };
  return changeOf({ ...billing, openCycle: { ...again, next } });
}

/**
 * A boleto or a Pix failed before the billing date, on which the cycle would be overdue. It is issued again once, and
 * after that on the billing date. If the refusal is final, the cycle is given up on that date.
 */
function settleEarly(billing: Billing, cycle: OpenCycle, isFinal: boolean, today: string): BillingChange {
  const { billingDate, failures } = cycle;
  const again = attemptNow(billing, cycle, failures > MAX_EARLY_FAILURES ? billingDate : today);
  const planned = isFinal ? { next: null, giveUpOn: billingDate } : { next: again };
  return changeOf({ ...billing, openCycle: { ...cycle, ...planned } }, { moves: failureMoves(billing) });
}

/**
 * The cycle is charged by the new means of payment at once, but not before its billing date. The retries start again; a
 * cycle that was given up has none.
 */
function settleReplaced(
  billing: Billing,
  cycle: OpenCycle,
  failure: AttemptFailure,
  now: Date,
): BillingChange {
  const today = merchantDay(now);
  const planned = { ...withNewAttempts(cycle), next: attemptNow(billing, cycle, today) };
  const isOverdueNow = cycle.billingDate <= today;
  if (isOverdueNow && cycle.invoice !== 'uncollectible') return settleOverdue(billing, planned, failure);
  return changeOf({ ...billing, openCycle: planned }, { moves: failureMoves(billing) });
}

/**
 * A canceled subscription keeps an overdue cycle, which a reactivation charges. Any other cycle is voided, and access,
 * which lasted for the outcome, ends with the paid period.
 */
function settleAfterEnd(billing: Billing, failed: OpenCycle, today: string): BillingChange {
  const moves = failureMoves(billing);
  const isKept = billing.status === 'canceled' && failed.billingDate <= today;
  if (isKept) return keepOverdue(billing, failed, moves);
  const endsAt = billing.status === 'canceled' ? endOfPaidTime(billing) : billing.endsAt;
  return changeOf(
    { ...withoutOpenCycle(billing), endsAt },
    {
      moves,
      invoices: [{ cycle: failed.cycle, move: 'void', by: 'acquirer' }],
    },
  );
}

function settleOverdue(billing: Billing, cycle: OpenCycle, failure: AttemptFailure): BillingChange {
  const to = billingRules(billing.method).failedStatus(billing.status, failure);
  const fallBehind: WantedMove[] = isOverdue(billing.status) ? [] : [{ move: 'fall_behind', to }];
  return keepOverdue(billing, cycle, failureMoves(billing, ...fallBehind));
}

function keepOverdue(billing: Billing, cycle: OpenCycle, moves: BillingChange['moves']): BillingChange {
  if (cycle.invoice !== 'open') return changeOf({ ...billing, openCycle: cycle }, { moves });
  return changeOf(
    { ...billing, openCycle: { ...cycle, invoice: 'past_due' } },
    { moves, invoices: [{ cycle: cycle.cycle, move: 'fall_behind', by: 'acquirer' }] },
  );
}

function settleGivenUp(billing: Billing, cycle: OpenCycle): BillingChange {
  const to = billingRules(billing.method).unpaidStatus;
  return changeOf(
    { ...billing, openCycle: { ...cycle, invoice: 'uncollectible' } },
    {
      moves: failureMoves(billing, { move: 'give_up', to }),
      invoices: [{ cycle: cycle.cycle, move: 'give_up', by: 'acquirer' }],
    },
  );
}

function failureMoves({ status }: Billing, ...following: readonly WantedMove[]) {
  return makeMoves(status, 'acquirer', [{ move: 'record_failure' }, ...following]);
}
