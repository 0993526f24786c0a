import { cancelPayment } from './cancel-payment.ts';
import { capturePayment } from './capture-payment.ts';
import { createRefund } from './create-refund.ts';
import { getPayment } from './get-payment.ts';
import { getRefund } from './get-refund.ts';
import { listPayments } from './list-payments.ts';
import { listRefunds } from './list-refunds.ts';

export const payments = {
  cancelPayment,
  capturePayment,
  createRefund,
  getPayment,
  getRefund,
  listPayments,
  listRefunds,
};
