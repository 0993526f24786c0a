import { PAYMENT_STATUSES, type PaymentStatus } from '../payments/payment.ts';

export type OrderStatus =
  | 'pending'
  | 'paid'
  | 'refused'
  | 'expired'
  | 'canceled'
  | 'refunded'
  | 'charged_back';

/** The status of an order follows from the status of its payment. */
export const ORDER_STATUS_OF: Readonly<Record<PaymentStatus, OrderStatus>> = {
  scheduled: 'pending',
  waiting_payment: 'pending',
  processing: 'pending',
  pre_authorized: 'pending',
  AUTHORIZED: 'pending',
  paid: 'paid',
  refused: 'refused',
  expired: 'expired',
  canceled: 'canceled',
  refund_in_progress: 'paid',
  partially_refunded: 'paid',
  refunded: 'refunded',
  chargeback_requested: 'paid',
  chargeback_dispute: 'paid',
  chargeback_lost: 'charged_back',
};

/** The payment statuses that result in this status of the order. */
export function paymentStatusesOf(status: OrderStatus): readonly PaymentStatus[] {
  return PAYMENT_STATUSES.filter((one) => ORDER_STATUS_OF[one] === status);
}
