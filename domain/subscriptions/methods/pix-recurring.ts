import { addDays } from '../../business-days.ts';
import { laterDay } from '../billing-dates.ts';
import { nextRetryDay } from '../retry-days.ts';
import type { BillingMethodRules } from './method.ts';

const CREATE_LEAD_DAYS = 3;
/**
 * At most 3 retries on different days, within 7 days of the due date and before the next cycle. The payer's bank also
 * retries by itself during the due date; those tries do not count.
 */
const RETRY_DAYS = [1, 3, 7];

/** Pix Automático: the payment is created 3 days before the due date and sent to the payer's bank 2 days before. */
export const pixRecurring: BillingMethodRules = {
  paidStatus: 'payment_approved',
  failedStatus: () => 'payment_refused',
  unpaidStatus: 'payment_refused',
  firstAttempt: (billingDate) => ({ createOn: addDays(billingDate, -CREATE_LEAD_DAYS), dueOn: billingDate }),
  sendLead_days: 2,
  dueIn_days: CREATE_LEAD_DAYS,
  lastPaymentDay: (dueOn) => dueOn,
  retriesFrom: ({ dueOn }) => dueOn,
  nextAttempt({ retriesFrom, today, after, nextBillingDate, allowsRetries }) {
    const day = allowsRetries ? nextRetryDay(retriesFrom, RETRY_DAYS, after) : null;
    if (day === null || day >= nextBillingDate) return null;
    return { createOn: laterDay(addDays(day, -CREATE_LEAD_DAYS), today), dueOn: day };
  },
  retriesOnlyOnTheirDay: true,
  giveUp_days: null,
  chargesAtOnce: false,
  canReactivate: false,
  needsMandate: true,
};
