/** How each payment method charges the cycles of a subscription (rows 8.4, 8.5, 8.11, 13.24, 13.26). */
import { dayOf, laterOf, plusDays } from '../calendar.ts';
import { dateOf } from './plan.ts';
import type { Attempt, Means, Method, ModelSubscription, OpenCycle } from './state.ts';

type Planned = NonNullable<OpenCycle['next']>;

const CARD_RETRY_DAYS = [1, 3, 5, 7];
const PIX_RETRY_DAYS = [1, 3, 7];
/** Of a boleto or a Pix, and of a charge by a mandate: how many days before its due date it is made. */
const LEAD_DAYS = { credit_card: 0, browser_wallet: 0, bank_slip: 5, pix: 5, pix_recurring: 3 };
/** How many days before its due date a charge by a mandate is sent. */
export const SEND_DAYS = 2;
/** When a charge is due that is made late, or outside the schedule. */
const DUE_IN_DAYS = { credit_card: 0, browser_wallet: 0, bank_slip: 3, pix: 3, pix_recurring: 3 };
const GIVE_UP_DAYS = 7;

/** Whether the customer pays each charge. */
export function isIssued(method: Method): boolean {
  return method === 'bank_slip' || method === 'pix';
}

export function paidStatus({ method }: Means): string {
  return method === 'pix_recurring' ? 'payment_approved' : 'active';
}

/** The status after the first failed charge of a cycle. */
export function failedStatus({ means, status }: ModelSubscription, outcome: 'refused' | 'expired'): string {
  if (means.method === 'pix_recurring') return 'payment_refused';
  return status === 'payment_pending' && outcome === 'refused' ? 'payment_refused' : 'past_due';
}

export function unpaidStatus({ method }: Means): string {
  return method === 'pix_recurring' ? 'payment_refused' : 'unpaid';
}

/** The first charge of a cycle. */
export function firstCharge({ means, trialDays }: ModelSubscription, cycle: number, day: string): Planned {
  const { method } = means;
  if (isIssued(method) && cycle === 1 && trialDays === 0) {
    return { on: day, dueOn: plusDays(day, DUE_IN_DAYS[method]) };
  }
  return { on: plusDays(day, -LEAD_DAYS[method]), dueOn: day };
}

/** A charge that is made now, as it is not on the schedule. It is due on the day of its cycle at the earliest. */
export function chargeNow({ method }: Means, today: string, day: string): Planned {
  const dueOn = laterOf(day, plusDays(today, DUE_IN_DAYS[method]));
  const isLate = plusDays(today, DUE_IN_DAYS[method]) === dueOn;
  return { on: isLate ? today : laterOf(today, plusDays(day, -LEAD_DAYS[method])), dueOn };
}

/** The first charge of a cycle by the present means. A charge by a mandate is due later than the one before it. */
export function firstChargeBy(
  model: ModelSubscription,
  { cycle, day }: Pick<OpenCycle, 'cycle' | 'day'>,
  now: number,
): Planned {
  const { means, lastMandateDueOn } = model;
  const planned = firstCharge(model, cycle, day);
  if (means.method !== 'pix_recurring' || lastMandateDueOn === null) return planned;
  return planned.dueOn > lastMandateDueOn ? planned : chargeNow(means, dayOf(now), day);
}

/** The charge after one that failed and may be retried; null if none follows. */
export function retryOf(
  model: ModelSubscription,
  open: OpenCycle,
  today: string,
  lastDueOn = today,
): Planned | null {
  const { means, schedule } = model;
  const from = open.retriesFrom!;
  const firstOf = (days: readonly number[]) =>
    days.map((count) => plusDays(from, count)).find((day) => day > laterOf(today, lastDueOn));
  if (isIssued(means.method)) return open.failures === 1 ? chargeNow(means, today, open.day) : null;
  if ('card' in means) {
    const day = firstOf(CARD_RETRY_DAYS);
    return day === undefined ? null : { on: day, dueOn: day };
  }
  const mayRetry = means.method === 'pix_recurring' && means.mandate.mayRetry;
  const day = mayRetry ? firstOf(PIX_RETRY_DAYS) : undefined;
  if (day === undefined || day >= dateOf(schedule, open.cycle + 1)) return null;
  return { on: laterOf(plusDays(day, -LEAD_DAYS.pix_recurring), today), dueOn: day };
}

/** The charge after a boleto or a Pix that failed before the day of its cycle, with `count` failures so far. */
export function chargeAfterEarlyFailure(means: Means, count: number, today: string, day: string): Planned {
  return chargeNow(means, count === 1 ? today : day, day);
}

/**
 * A charge that was never sent is made again at once, and then after a minute, two, four and so on up to an hour. It is
 * not due earlier. By a mandate it keeps its day, if it is a retry or can be sent in time.
 */
export function chargeAgain(
  means: Means,
  { day, unsent, retriesFrom }: OpenCycle,
  { method, dueOn }: Attempt,
  now: number,
): Planned {
  const notBefore = now + (unsent === 1 ? 0 : Math.min(60_000 * 2 ** (unsent - 2), 3_600_000));
  const planned = { ...chargeNow(means, dayOf(now), day), notBefore };
  if (method !== means.method) return planned;
  const isInTime = plusDays(dueOn, -SEND_DAYS) >= dayOf(notBefore);
  const keepsDay = method === 'pix_recurring' && (retriesFrom !== null || isInTime);
  return { ...planned, dueOn: keepsDay ? dueOn : laterOf(dueOn, planned.dueOn) };
}

/** The day from which the retries of a cycle count, after its first failure. */
export function retriesFrom({ method }: Means, dueOn: string, today: string): string {
  return isIssued(method) ? today : dueOn;
}

/** The day on which a cycle is given up although its charge can still be paid; null if there is none. */
export function giveUpDay({ method }: Means, from: string): string | null {
  return isIssued(method) ? plusDays(from, GIVE_UP_DAYS) : null;
}

/** The same day at the earliest for a charge that is due on a day. */
export function earliestGiveUpDay({ method }: Means, dueOn: string): string {
  return plusDays(dueOn, GIVE_UP_DAYS - DUE_IN_DAYS[method]);
}

/** The lowest amount above 0 that can be charged. */
export function lowestCharge(means: Means): number {
  return means.method === 'pix_recurring' ? (means.mandate.fixed ?? means.mandate.minimum ?? 1) : 1;
}
