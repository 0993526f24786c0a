import { addDays } from '../../business-days.ts';
import { DAY_MS, HOUR_MS } from '../../durations.ts';
import { startOfMerchantDay } from '../../local-time.ts';

/** Longer than a call of the acquirer takes. */
const SOON_MS = 20_000;

/**
 * The payer's bank decides a charge on its day, and the acquirer repeats a notification for hours (`gateway/wire.ts`).
 */
const RESULT_DUE_DAYS = 3;

/**
 * When the acquirer is asked for the result of a charge by a mandate that was not notified: 06:00 of the third day
 * after the billing date.
 */
export function resultDueAt(billingDate: string): Date {
  return new Date(startOfMerchantDay(addDays(billingDate, RESULT_DUE_DAYS)).getTime() + 6 * HOUR_MS);
}

/** Whether a charge that is still open at `at` has had its time. */
export function isResultDue(billingDate: string, at: Date): boolean {
  return at >= resultDueAt(billingDate);
}

/**
 * When the acquirer is asked again about a charge that has not ended at `at`. The pause grows to a day. A charge that
 * was withdrawn before its result is due is asked about again soon, because it can be canceled for a limited time.
 */
export function nextInquiryAt(billingDate: string, at: Date): Date {
  const waited_ms = at.getTime() - resultDueAt(billingDate).getTime();
  const pause_ms = waited_ms < 0 ? SOON_MS : Math.min(Math.max(waited_ms, HOUR_MS), DAY_MS);
  return new Date(at.getTime() + pause_ms);
}
