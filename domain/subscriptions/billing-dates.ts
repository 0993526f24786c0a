import { addDays } from '../business-days.ts';

/** Months between two charges. `weekly` counts days. */
const MONTHS = { monthly: 1, quarterly: 3, 'half-yearly': 6, yearly: 12 } as const;

export type BillingInterval = 'weekly' | keyof typeof MONTHS;

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
  const firstOfMonth = dayOf(year, month + MONTHS[interval] * charge, 1);
  const lastDay = Number(addDays(dayOf(year, month + MONTHS[interval] * charge + 1, 1), -1).slice(8));
  return addDays(firstOfMonth, Math.min(bestChargeDay ?? day, lastDay) - 1);
}

/** `YYYY-MM-DD`; months beyond 12 are those of later years. */
function dayOf(year: number, month: number, day: number): string {
  return new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10);
}
