import { placesOfPayments } from '../../services/links/follow-payments.ts';
import type { Area } from '../area.ts';

export const links: Area = {
  paymentListeners: [placesOfPayments],
  merchantTables: [
    { table: 'payment_links', countedAs: 'payment_links', isLockedFirst: true },
    { table: 'payment_link_places' },
  ],
};
