import type { Area } from '../area.ts';

export const events: Area = {
  merchantTables: [{ table: 'events', countedAs: 'events' }],
};
