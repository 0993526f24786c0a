import type { Area } from '../area.ts';

export const orders: Area = {
  merchantTables: [{ table: 'orders', countedAs: 'orders' }],
};
