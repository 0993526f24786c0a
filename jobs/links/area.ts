import type { Area } from '../area.ts';

export const links: Area = {
  merchantTables: [
    { table: 'payment_links', countedAs: 'payment_links', isLockedFirst: true },
    { table: 'payment_link_places' },
  ],
};
