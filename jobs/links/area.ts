import { findLinkNotificationUrls } from '../../db/links/notification-urls.ts';
import { placesOfPayments } from '../../services/links/follow-payments.ts';
import type { Area } from '../area.ts';

export const links: Area = {
  paymentListeners: [placesOfPayments],
  notificationUrls: [{ objectType: 'payment', find: findLinkNotificationUrls }],
  merchantTables: [
    { table: 'payment_links', countedAs: 'payment_links', isLockedFirst: true },
    { table: 'payment_link_places' },
  ],
};
