import { disputesOfPayments } from '../../services/disputes/follow-payments.ts';
import type { Area } from '../area.ts';

export const disputes: Area = {
  paymentListeners: [disputesOfPayments],
  merchantTables: [{ table: 'disputes', countedAs: 'disputes' }],
};
