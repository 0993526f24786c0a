import type { Area } from '../area.ts';

export const products: Area = {
  merchantTables: [
    { table: 'products', countedAs: 'products' },
    { table: 'offers', countedAs: 'offers' },
  ],
};
