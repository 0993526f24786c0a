import { notificationUrlsFrom } from '../../db/payments/notification-urls.ts';
import { placesOfPayments } from '../../services/links/follow-payments.ts';
import type { Area } from '../area.ts';
import { slotJob } from '../slot-job.ts';
import { expiredLinks } from './expired-links.ts';
import { dueLogos } from './logos.ts';

/** The longest wait until a new logo is fetched. */
const LOGO_INTERVAL_MS = 1_000;
/** A page of expired links reads all that are not marked yet. */
const EXPIRED_INTERVAL_MS = 30_000;

export const links: Area = {
  jobs: (deps) => [
    slotJob(deps, { name: 'logos', interval_ms: LOGO_INTERVAL_MS }, dueLogos(deps)),
    slotJob(deps, { name: 'expired links', interval_ms: EXPIRED_INTERVAL_MS }, expiredLinks(deps)),
  ],
  paymentListeners: [placesOfPayments],
  notificationUrls: [{ objectType: 'payment', find: notificationUrlsFrom('payment_links') }],
  merchantTables: [
    { table: 'payment_links', countedAs: 'payment_links', lockedBy: 'id' },
    { table: 'payment_link_places' },
    { table: 'payment_link_logos' },
  ],
};
