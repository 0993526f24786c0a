import { addDays, dayOfNumber } from '../business-days.ts';
import { DAY_MS, HOUR_MS } from '../durations.ts';
import { startOfMerchantDay } from '../local-time.ts';
import { type BillingInterval, INTERVAL_MONTHS } from '../products/billing-interval.ts';

/** The settings of a subscription that determine the dates of its charges. */
export interface BillingAnchor {
  /** Merchant's day of the first charge. */
  readonly start: string;
  readonly interval: BillingInterval;
  /** 1 to 31: replaces the day of the start from the second charge on. */
  readonly bestChargeDay?: number;
}

/**
 * The day of a charge; 0 is the first. Each date is computed from the start and not from the date before, so a short
 * month does not change later dates: 31 January, 28 February, 31 March.
 */
export function billingDate({ start, interval, bestChargeDay }: BillingAnchor, charge: number): string {
  if (charge === 0) return start;
  if (interval === 'weekly') return addDays(start, 7 * charge);
  const [year, month, day] = start.split('-').map(Number) as [number, number, number];
  const months = INTERVAL_MONTHS[interval] * charge;
  // Day 0 of a month is the last one of the month before.
  const lastDay = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  const date = Date.UTC(year, month + months - 1, Math.min(bestChargeDay ?? day, lastDay));
  return dayOfNumber(date / DAY_MS);
}

/** The billing dates of a subscription's cycles, counted from a cycle whose date is known. */
export interface BillingSchedule {
  readonly baseCycle: number;
  /** Merchant's day on which the base cycle is charged. */
  readonly baseDate: string;
  readonly interval: BillingInterval;
  /** Day of the month of the later cycles, 1 to 31. A shorter month has its last day instead. */
  readonly anchorDay: number;
}

/** The schedule of a subscription whose first cycle is charged on `firstChargeOn`. */
export function scheduleFrom(
  firstChargeOn: string,
  interval: BillingInterval,
  bestChargeDay: number | null,
): BillingSchedule {
  const anchorDay = bestChargeDay ?? Number(firstChargeOn.slice(8));
  return { baseCycle: 1, baseDate: firstChargeOn, interval, anchorDay };
}

/** A ladder can have prices for charges in millions of years, which have no date. */
export const MOST_CYCLES_AHEAD = 1_000;

/** The billing date of a cycle. Throws a RangeError for a cycle before the base of the schedule. */
export function cycleDate(schedule: BillingSchedule, cycle: number): string {
  const { baseCycle, baseDate, interval, anchorDay } = schedule;
  if (cycle < baseCycle) throw new RangeError(`The schedule begins at cycle ${baseCycle}.`);
  return billingDate({ start: baseDate, interval, bestChargeDay: anchorDay }, cycle - baseCycle);
}

/** The schedule with another interval after `cycle`. The date of that cycle and the day of the month do not change. */
export function withInterval(
  schedule: BillingSchedule,
  cycle: number,
  interval: BillingInterval,
): BillingSchedule {
  if (interval === schedule.interval) return schedule;
  return { ...schedule, baseCycle: cycle, baseDate: cycleDate(schedule, cycle), interval };
}

/** When the billing steps of a merchant's day run: 06:00 in São Paulo (contract row 13.25). */
export function stepTime(day: string): Date {
  return new Date(startOfMerchantDay(day).getTime() + 6 * HOUR_MS);
}

/** The later of two days `YYYY-MM-DD`. */
export function laterDay(one: string, other: string): string {
  return one > other ? one : other;
}
