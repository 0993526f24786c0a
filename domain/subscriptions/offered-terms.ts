import { addDays } from '../business-days.ts';
import { merchantDay } from '../local-time.ts';
import type { PriceBand } from '../products/price-ladder.ts';
import type { Plan } from './billing.ts';
import { cycleDate, MOST_CYCLES_AHEAD, scheduleFrom } from './billing-dates.ts';

/** What a buyer will be charged, and how often. The day on which the buyer subscribes is not known yet. */
export type OfferedTerms = Pick<Plan, 'interval' | 'ladder'> & { readonly trialDays: number };

/** A price, with the day of its first charge. */
export interface DatedBand extends PriceBand {
  /** Merchant's day; null for a charge that is too far away. */
  readonly firstChargeOn: string | null;
}

/** The charges of a subscription that starts now: each price with the day from which it is charged. */
export function datedBands({ interval, ladder, trialDays }: OfferedTerms, now: Date): DatedBand[] {
  const schedule = scheduleFrom(addDays(merchantDay(now), trialDays), interval, null);
  return ladder.map((band) => ({
    ...band,
    firstChargeOn: band.start > MOST_CYCLES_AHEAD ? null : cycleDate(schedule, band.start),
  }));
}
