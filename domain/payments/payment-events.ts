/** The events of the payments of all methods. A move of a payment emits some of them. */
export type PaymentEvent =
  | 'payment.created'
  | 'payment.pre_authorized'
  | 'payment.authorized'
  | 'payment.capture_confirmed'
  | 'payment.capture_failed'
  | 'payment.refused'
  | 'payment.expired'
  | 'payment.fraud_detected'
  | 'payment.canceled'
  | 'payment.cancel_confirmed'
  | 'payment.cancel_failed'
  | 'payment.updated'
  | 'payment.refund_in_progress'
  | 'payment.refunded'
  | 'payment.refund_denied'
  | 'payment.chargeback_requested'
  | 'payment.chargeback_dispute';
