import { addDays } from '../business-days.ts';

/** The days after the due date on which a card is retried, unless the merchant has a schedule of its own. */
export const DUNNING_DAYS: readonly number[] = [1, 3, 5, 7];

/**
 * The first day of a schedule after today; null if all have passed. `days` are counted from `from`, in increasing
 * order. Days that have passed are skipped, so that no two retries are on one day.
 */
export function nextRetryDay(from: string, days: readonly number[], today: string): string | null {
  return days.map((count) => addDays(from, count)).find((day) => day > today) ?? null;
}
