import { findNotificationUrls } from '../../db/orders/notification-urls.ts';
import type { Area } from '../area.ts';

export const orders: Area = {
  merchantTables: [{ table: 'orders', countedAs: 'orders' }],
  notificationUrls: [{ objectType: 'payment', find: findNotificationUrls }],
};
