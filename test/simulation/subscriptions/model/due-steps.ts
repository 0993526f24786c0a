/** What models do when their merchant's time comes. */
import { plusDays, stepAt } from '../calendar.ts';
import { settle } from './cycle.ts';
import { isUnsettled, type ModelSubscription, type Send } from './state.ts';
import { nextDue } from './steps.ts';

const RESULT_DAYS = 3;

interface Merchant {
  readonly now: number;
  /** Charges wait while it is false. */
  readonly isApproved: boolean;
}

/** When the next step of one of the models is due; infinity if time changes nothing. */
export function firstDue(models: readonly ModelSubscription[], { now, isApproved }: Merchant): number {
  return Math.min(...models.map((model) => nextDue(model, isApproved, now, 'service')?.at ?? Infinity));
}

/**
 * Whether the service asks for the result of a charge by a mandate, because its due date is some days ago. The bank has
 * decided by then.
 */
export function hasLateResult({ open }: ModelSubscription, now: number): boolean {
  const attempt = open?.attempt;
  const isSent = attempt?.method === 'pix_recurring' && attempt.state === 'waiting';
  return isSent && stepAt(plusDays(attempt.dueOn, RESULT_DAYS)) <= now;
}

/** Takes all steps of a model that are due. `first`: who acts first, as in `nextDue`. */
export function takeDueSteps(
  model: ModelSubscription,
  { now, isApproved }: Merchant,
  first: 'service' | 'bank',
  send: Send,
): void {
  const due = () => nextDue(model, isApproved, now, first);
  for (let step = due(); step !== null && step.at <= now; step = due()) step.run(now, send);
}

/**
 * Takes one step of each model that has one due. Charges whose outcome is not known are settled after that. Returns
 * whether a card was charged.
 */
export function takeNextSteps(
  models: readonly ModelSubscription[],
  { now, isApproved }: Merchant,
  send: Send,
): boolean {
  const settledLater: ModelSubscription[] = [];
  let hasCharged = false;
  for (const model of models) {
    const step = nextDue(model, isApproved, now, 'service');
    if (step === null || step.at > now) continue;
    const wasUnsettled = isUnsettled(model);
    step.run(now, (charged) => {
      hasCharged = true;
      return send(charged);
    });
    if (isUnsettled(model) && !wasUnsettled) settledLater.push(model);
  }
  for (const model of settledLater) settle(model, now);
  return hasCharged;
}
