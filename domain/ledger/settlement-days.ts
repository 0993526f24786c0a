import { addDays } from '../business-days.ts';
import { HOUR_MS } from '../durations.ts';
import { merchantDay, startOfMerchantDay } from '../local-time.ts';

/** The acquirer has the files of a day at this time of the next day, São Paulo. */
const FILE_COMPLETE_AFTER_MS = 6 * HOUR_MS;

/** The comparison of a merchant is late when more complete days than these are not compared. */
const LATE_AFTER_DAYS = 2;

/** The last day (`YYYY-MM-DD`, São Paulo) whose settlement file is complete at `wall`. */
export function lastCompleteDay(wall: Date): string {
  const today = merchantDay(wall);
  const isComplete = wall.getTime() >= startOfMerchantDay(today).getTime() + FILE_COMPLETE_AFTER_MS;
  return addDays(today, isComplete ? -1 : -2);
}

/** The last day at `wall` whose comparison is late. */
export function lastLateDay(wall: Date): string {
  return addDays(lastCompleteDay(wall), -LATE_AFTER_DAYS);
}
