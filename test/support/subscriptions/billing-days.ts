import { merchantDay } from '../../../domain/local-time.ts';
import { billingDate } from '../../../domain/subscriptions/billing-dates.ts';

/** The billing date that follows `count` months after today, as of a subscription that is created now. */
export function month(count: number): string {
  return billingDate({ start: merchantDay(new Date()), interval: 'monthly' }, count);
}
