/** Prices and dates of a plan, as the contract describes them (rows 8.3 and 8.8). */
import { daysBetween, monthsAfter, plusDays } from '../calendar.ts';

export type Interval = 'weekly' | 'monthly' | 'quarterly' | 'half-yearly' | 'yearly';

export const MONTHS: Readonly<Record<Interval, number>> = {
  weekly: 0,
  monthly: 1,
  quarterly: 3,
  'half-yearly': 6,
  yearly: 12,
};

export interface Band {
  readonly start: number;
  readonly end: number | null;
  readonly amount: number;
}

export interface Plan {
  readonly offerId: string | null;
  readonly interval: Interval;
  readonly bands: readonly Band[];
  /** A price that replaces the one of the ladder for one cycle (`next_charge_amount`). */
  readonly special: { readonly cycle: number; readonly amount: number } | null;
}

/** The price of a cycle; null after the last one. */
export function priceOf({ bands, special }: Plan, cycle: number): number | null {
  const band = bands.find(({ start, end }) => start <= cycle && (end === null || cycle <= end));
  if (band === undefined) return null;
  return special?.cycle === cycle ? special.amount : band.amount;
}

/** The billing dates, counted from a cycle whose date is known. */
export interface Schedule {
  readonly cycle: number;
  readonly day: string;
  readonly interval: Interval;
  /** The day of the month of all later cycles. */
  readonly anchor: number;
}

export function dateOf({ cycle: base, day, interval, anchor }: Schedule, cycle: number): string {
  if (cycle === base) return day;
  if (interval === 'weekly') return plusDays(day, 7 * (cycle - base));
  return monthsAfter(day, MONTHS[interval] * (cycle - base), anchor);
}

/** The period that the latest paid cycle covers; its end is not included. */
export interface PaidPeriod {
  readonly start: string;
  readonly end: string;
  readonly interval: Interval;
  /** What it costs. Another plan that is chosen later replaces it. */
  readonly price: Price;
  /** Whether the days before it are paid by the same plan: they are not a trial, and no other plan began since then. */
  readonly continues: boolean;
}

/** A price for an interval. */
export interface Price {
  readonly amount: number;
  readonly interval: Interval;
}

/**
 * What another plan costs more until the next charge, rounded once, half a centavo away from 0 (row 8.8). A period that
 * is paid early can begin later.
 */
export function prorated(period: PaidPeriod, today: string, from: Price, to: Price): number {
  const days = daysBetween(period.start, period.end);
  const early = period.continues ? 0 : Math.max(daysBetween(today, period.start), 0);
  const left = Math.max(daysBetween(today, period.end) - early, 0);
  const [fromMonths, toMonths, months] = [from, to, period].map(({ interval }) => MONTHS[interval]);
  const divisor = fromMonths! * toMonths! * days;
  const dividend = (to.amount * fromMonths! - from.amount * toMonths!) * months! * left;
  const rounded = Math.floor((2 * Math.abs(dividend) + divisor) / (2 * divisor));
  return dividend < 0 ? 0 - rounded : rounded;
}
