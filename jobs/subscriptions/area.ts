import { notificationUrlsFrom } from '../../db/payments/notification-urls.ts';
import { DUE_SUBSCRIPTIONS } from '../../db/subscriptions/due-subscriptions.ts';
import {
  findNotificationUrls,
  findNotificationUrlsOfLinks,
} from '../../db/subscriptions/notification-urls.ts';
import { cardsOfSubscriptions } from '../../services/subscriptions/card-use.ts';
import { subscriptionsOfMandates } from '../../services/subscriptions/follow-mandates.ts';
import { subscriptionsOfPayments } from '../../services/subscriptions/follow-payments.ts';
import { runDueBillingOfClock } from '../../services/subscriptions/run-due-billing.ts';
import type { Area } from '../area.ts';
import { dueSteps } from '../due-steps.ts';
import { slotJob } from '../slot-job.ts';
import { BILLING_STEPS } from './billing-steps.ts';

export const subscriptions: Area = {
  jobs: (deps) => [slotJob(deps, { name: 'billing steps', interval_ms: 500 }, dueSteps(deps, BILLING_STEPS))],
  clockedWork: [{ rows: DUE_SUBSCRIPTIONS, runDue: runDueBillingOfClock }],
  cardUses: [cardsOfSubscriptions],
  paymentListeners: [subscriptionsOfPayments],
  mandateListeners: [subscriptionsOfMandates],
  notificationUrls: [
    { objectType: 'subscription', find: findNotificationUrls },
    { objectType: 'subscription', find: findNotificationUrlsOfLinks },
    { objectType: 'payment', find: notificationUrlsFrom('subscriptions') },
  ],
  expiringTables: [
    { table: 'plan_previews', key: 'id', expiresAt: 'kept_until', indexedBy: 'slot', kept_ms: 0 },
  ],
  merchantTables: [
    { table: 'subscriptions', countedAs: 'subscriptions', lockedBy: 'id' },
    { table: 'subscription_invoices' },
    { table: 'plan_previews' },
  ],
};
