import type { Area } from '../area.ts';

export const customers: Area = {
  merchantTables: [{ table: 'customers', countedAs: 'customers', lockedBy: 'id' }],
};
