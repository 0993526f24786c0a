import { notificationUrlsFrom } from '../../db/payments/notification-urls.ts';
import type { Area } from '../area.ts';

export const orders: Area = {
  merchantTables: [{ table: 'orders', countedAs: 'orders' }],
  notificationUrls: [{ objectType: 'payment', find: notificationUrlsFrom('orders') }],
};
