import { addDays } from '../../business-days.ts';
import { type Billing, type OpenCycle, type PlannedAttempt, waitsForPayer } from '../billing.ts';
import { laterDay, stepTime } from '../billing-dates.ts';
import { billingRules } from '../methods/index.ts';
import { isFinished } from '../subscription-status.ts';
import { upcomingCycle } from './upcoming-cycle.ts';

/**
 * - `open_cycle`: the next cycle gets an invoice and a payment.
 * - `begin_plan`: the billing date of an open cycle has come, and another plan begins with it.
 * - `attempt`: the open cycle gets another payment.
 * - `send`: the scheduled payment is sent to the acquirer.
 * - `give_up`: no further attempt is made.
 * - `complete`: the last cycle of a finite ladder has ended.
 * - `end`: the access of a canceled subscription has ended.
 * - `expire_mandate`: the payer did not authorize the mandate in time.
 */
export type StepKind =
  | 'open_cycle'
  | 'begin_plan'
  | 'attempt'
  | 'send'
  | 'give_up'
  | 'complete'
  | 'end'
  | 'expire_mandate';

/** A step that a subscription takes when time has passed. `dueAt` can be in the past: the step is then due at once. */
export interface Step {
  readonly kind: StepKind;
  readonly dueAt: Date;
}

/** The next step of a subscription. Null while it waits for the acquirer, for a payer or for the merchant. */
export function nextStep(billing: Billing): Step | null {
  const { status, mandate, openCycle } = billing;
  if (isFinished(status)) return null;
  if (status === 'canceled') return { kind: 'end', dueAt: billing.endsAt! };
  if (waitsForPayer(billing)) return { kind: 'expire_mandate', dueAt: mandate!.qrExpiresAt };
  return openCycle === null ? stepWithoutOpenCycle(billing) : stepWithOpenCycle(billing, openCycle);
}

/** The step of a subscription that is due at an instant; null if none is. */
export function dueStep(billing: Billing, now: Date): Step | null {
  const step = nextStep(billing);
  return step !== null && step.dueAt <= now ? step : null;
}

function stepWithoutOpenCycle(billing: Billing): Step {
  const upcoming = upcomingCycle(billing);
  if (upcoming === null) return { kind: 'complete', dueAt: stepTime(billing.paidPeriod!.end) };
  const { cycle, billingDate, amount_centavos, credit_centavos } = upcoming;
  const isFree = amount_centavos === credit_centavos;
  const isFirst = cycle === 1 && billing.trialDays === 0;
  const { createOn } = billingRules(billing.method).firstAttempt(billingDate, isFirst);
  const opensOn = isFree ? billingDate : createOn;
  const { lastAttemptOn } = billing;
  return {
    kind: 'open_cycle',
    dueAt: stepTime(lastAttemptOn === null ? opensOn : laterDay(opensOn, addDays(lastAttemptOn, 1))),
  };
}

function stepWithOpenCycle(billing: Billing, cycle: OpenCycle): Step | null {
  const step = stepOfCycle(billing, cycle);
  if (cycle.plan === undefined) return step;
  const beginsAt = stepTime(cycle.billingDate);
  return step !== null && step.dueAt < beginsAt ? step : { kind: 'begin_plan', dueAt: beginsAt };
}

function stepOfCycle({ method }: Billing, { attempt, next, giveUpOn }: OpenCycle): Step | null {
  if (attempt !== null && !attempt.isSent) {
    const sendOn = addDays(attempt.dueOn, -billingRules(method).sendLead_days);
    return { kind: 'send', dueAt: stepTime(sendOn) };
  }
  if (attempt === null && next !== null) return { kind: 'attempt', dueAt: attemptTime(next) };
  return giveUpOn === null ? null : { kind: 'give_up', dueAt: stepTime(giveUpOn) };
}

function attemptTime({ createOn, notBefore }: PlannedAttempt): Date {
  const dueAt = stepTime(createOn);
  if (notBefore === undefined) return dueAt;
  return new Date(Math.max(dueAt.getTime(), Date.parse(notBefore)));
}
