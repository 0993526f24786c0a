import { nextRetryDay } from '../retry-days.ts';
import type { BillingMethodRules } from './method.ts';

/**
 * A card, or a wallet's stored credential: charged on the billing date, and again on the days of the dunning schedule.
 */
export const card: BillingMethodRules = {
  paidStatus: 'active',
  failedStatus: (before) => (before === 'payment_pending' ? 'payment_refused' : 'past_due'),
  unpaidStatus: 'unpaid',
  firstAttempt: (billingDate) => ({ createOn: billingDate, dueOn: billingDate }),
  sendLead_days: 0,
  dueIn_days: 0,
  lastPaymentDay: (dueOn) => dueOn,
  retriesFrom: ({ dueOn }) => dueOn,
  nextAttempt({ retriesFrom, dunningDays, after }) {
    const day = nextRetryDay(retriesFrom, dunningDays, after);
    return day === null ? null : { createOn: day, dueOn: day };
  },
  retriesOnlyOnTheirDay: false,
  giveUp_days: null,
  chargesAtOnce: true,
  canReactivate: true,
  needsMandate: false,
};
