import { addDays } from '../../business-days.ts';
import type { Attempt, Billing, OpenCycle, PlannedAttempt } from '../billing.ts';
import { laterDay, stepTime } from '../billing-dates.ts';
import { billingRules } from '../methods/index.ts';
import type { PaymentAction } from './change.ts';

/**
 * The billing with an attempt that begins today, and the payment to create. A second boleto or Pix that is issued late
 * moves the day on which its cycle is given up.
 */
export function beginAttempt(
  billing: Billing,
  cycle: OpenCycle,
  planned: PlannedAttempt,
  today: string,
): { readonly billing: Billing; readonly payment: PaymentAction } {
  const { sendLead_days, dueIn_days, giveUp_days, needsMandate } = billingRules(billing.method);
  const dueOn = planned.dueOn < today ? addDays(today, dueIn_days) : planned.dueOn;
  // Only a charge by a mandate is created before it is sent.
  const isSent = !needsMandate || addDays(dueOn, -sendLead_days) <= today;
  const lastDay = addDays(dueOn, (giveUp_days ?? dueIn_days) - dueIn_days);
  const giveUpOn = cycle.giveUpOn && laterDay(cycle.giveUpOn, lastDay);
  const openCycle = { ...cycle, giveUpOn, attempt: { method: billing.method, dueOn, isSent }, next: null };
  const amount_centavos = cycle.amount_centavos - cycle.credit_centavos;
  return {
    billing: { ...withDueDate(billing, { method: billing.method, dueOn }), openCycle, lastAttemptOn: today },
    payment: { kind: 'charge', cycle: cycle.cycle, amount_centavos, dueOn, isSent },
  };
}

/** A charge, by the method with which it was made. */
export type MadeAttempt = Required<Omit<Attempt, 'isSent'>>;

/** The billing with the due date of a charge that is made, or that was withdrawn and not canceled. */
function withDueDate(billing: Billing, { method, dueOn }: MadeAttempt): Billing {
  if (!billingRules(method).needsMandate) return billing;
  return { ...billing, lastMandateDueOn: laterDay(billing.lastMandateDueOn ?? dueOn, dueOn) };
}

/**
 * The billing with a charge that was withdrawn, and that was paid or refused all the same. If it was by a mandate, its
 * due date is taken: the charge by another mandate that is planned for it becomes due later.
 */
export function withTakenDate(billing: Billing, charge: MadeAttempt, today: string): Billing {
  const taken = withDueDate(billing, charge);
  const { method, openCycle } = taken;
  const isRepeated =
    taken !== billing && billingRules(method).needsMandate && openCycle?.next?.dueOn === charge.dueOn;
  if (!isRepeated) return taken;
  return { ...taken, openCycle: { ...openCycle, next: attemptNow(taken, openCycle, today) } };
}

/**
 * The billing with a withdrawn attempt that is under way again, because the acquirer did not cancel its payment. The
 * access of a canceled subscription lasts until the outcome is known.
 */
export function resumeAttempt(billing: Billing, { method, dueOn }: MadeAttempt): Billing {
  const attempt = { method, dueOn, isSent: true };
  return {
    ...withDueDate(billing, attempt),
    openCycle: { ...billing.openCycle!, attempt, next: null },
    endsAt: billing.endsAt && afterOutcome(billing.endsAt, attempt),
  };
}

/** The end of access, or the step after the last day on which an attempt can be paid, if that is later. */
export function afterOutcome(end: Date, { method, dueOn }: MadeAttempt): Date {
  const decided = stepTime(addDays(billingRules(method).lastPaymentDay(dueOn), 1));
  return decided > end ? decided : end;
}

/**
 * The first attempt of a cycle by the method of a subscription. At most one charge by a mandate is due on a day: this
 * one gets a date of its own if the latest one is due as late or later, as after an outage, or if the bank has refused
 * that one before its day.
 */
export function firstAttempt(billing: Billing, opened: OpenCycle, today: string): PlannedAttempt {
  const { cycle, billingDate } = opened;
  const { method, trialDays, lastMandateDueOn } = billing;
  const rules = billingRules(method);
  const planned = rules.firstAttempt(billingDate, cycle === 1 && trialDays === 0);
  const isTaken = rules.needsMandate && lastMandateDueOn !== null && planned.dueOn <= lastMandateDueOn;
  return isTaken ? attemptNow(billing, opened, today) : planned;
}

/**
 * An attempt outside the schedule, such as the first one after a reactivation: as soon as possible, but no cycle is
 * charged before its billing date.
 */
export function attemptNow(
  { method }: Pick<Billing, 'method'>,
  { billingDate }: Pick<OpenCycle, 'billingDate'>,
  today: string,
): PlannedAttempt {
  const { dueIn_days, firstAttempt } = billingRules(method);
  const dueOn = addDays(today, dueIn_days);
  if (dueOn >= billingDate) return { createOn: today, dueOn };
  return { createOn: laterDay(firstAttempt(billingDate, false).createOn, today), dueOn: billingDate };
}

/** The cycle with its retries from the start. */
export function withNewAttempts(cycle: OpenCycle): OpenCycle {
  return { ...cycle, next: null, failures: 0, unsent: 0, retriesFrom: null, giveUpOn: null };
}
