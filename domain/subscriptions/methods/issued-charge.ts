import { addDays, nextBusinessDay } from '../../business-days.ts';
import type { BillingMethodRules } from './method.ts';

const ISSUE_LEAD_DAYS = 5;
/** The first charge of a subscription without a trial is due in this time, and the second one of a cycle. */
const DUE_IN_DAYS = 3;

/**
 * A boleto or a Pix QR code for each cycle, which the customer pays (contract row 13.24). It is issued 5 days before
 * the billing date, issued once again after it expired, and given up a week after that. One that fails before the
 * billing date is issued again too, and does not count.
 */
export const issuedCharge: BillingMethodRules = {
  paidStatus: 'active',
  failedStatus: (before, failure) =>
    before === 'payment_pending' && failure === 'refused' ? 'payment_refused' : 'past_due',
  unpaidStatus: 'unpaid',
  firstAttempt: (billingDate, isFirst) =>
    isFirst
      ? { createOn: billingDate, dueOn: addDays(billingDate, DUE_IN_DAYS) }
      : { createOn: addDays(billingDate, -ISSUE_LEAD_DAYS), dueOn: billingDate },
  sendLead_days: ISSUE_LEAD_DAYS,
  dueIn_days: DUE_IN_DAYS,
  // It expires at the end of that day (contract row 13.7).
  lastPaymentDay: nextBusinessDay,
  retriesFrom: (_attempt, today) => today,
  nextAttempt: ({ isFirst, today }) =>
    isFirst ? { createOn: today, dueOn: addDays(today, DUE_IN_DAYS) } : null,
  retriesOnlyOnTheirDay: false,
  giveUp_days: 7,
  chargesAtOnce: false,
  canReactivate: true,
  needsMandate: false,
};
