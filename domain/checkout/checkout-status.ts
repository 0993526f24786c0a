import type { PaymentStatus } from '../payments/payment.ts';
import { cardRefusal, type PaymentRefusal } from '../payments/refusal-reasons.ts';

/** A payment as its buyer sees it. `authorized`: the amount is reserved on the card. */
export type CheckoutStatus =
  | 'processing'
  | 'waiting_payment'
  | 'authorized'
  | 'paid'
  | 'refused'
  | 'expired'
  | 'canceled'
  | 'refunded';

/** What happens between the merchant and the acquirer after the payment, such as a dispute, is not shown. */
export const CHECKOUT_STATUS_OF: Readonly<Record<PaymentStatus, CheckoutStatus>> = {
  scheduled: 'processing',
  processing: 'processing',
  waiting_payment: 'waiting_payment',
  pre_authorized: 'authorized',
  AUTHORIZED: 'processing',
  paid: 'paid',
  refused: 'refused',
  expired: 'expired',
  canceled: 'canceled',
  refund_in_progress: 'paid',
  partially_refunded: 'paid',
  refunded: 'refunded',
  chargeback_requested: 'paid',
  chargeback_dispute: 'paid',
  chargeback_lost: 'paid',
};

/** These codes would tell a person who tests stolen cards too much. */
const HIDDEN_CODES: readonly string[] = ['lost_card', 'stolen_card', 'fraud', 'account_closed'];

/** The refusal as the buyer sees it. */
export function shownRefusal(refusal: PaymentRefusal | null): PaymentRefusal | null {
  if (refusal === null || !HIDDEN_CODES.includes(refusal.code)) return refusal;
  return cardRefusal('do_not_honor');
}
