import type { PaymentLink } from './payment-link.ts';

/** A payment link accepts payments only while it is active. */
export type PaymentLinkStatus = 'active' | 'disabled' | 'expired' | 'exhausted';

/** The status at an instant of the merchant's clock. If several apply, the merchant's own decision comes first. */
export function paymentLinkStatus(
  link: Pick<PaymentLink, 'state' | 'expiresAt' | 'maxPayments' | 'paymentsCount'>,
  at: Date,
): PaymentLinkStatus {
  if (link.state === 'disabled') return 'disabled';
  if (link.expiresAt !== null && link.expiresAt <= at) return 'expired';
  if (link.maxPayments !== null && link.paymentsCount >= link.maxPayments) return 'exhausted';
  return 'active';
}
