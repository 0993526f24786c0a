import { isAddressRequired, type PaymentLink } from '../../domain/links/payment-link.ts';
import { type PaymentLinkStatus, paymentLinkStatus } from '../../domain/links/payment-link-status.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import { type Deps, now } from '../deps.ts';

/** A payment link with the values that follow from its fields. */
export interface ShownPaymentLink extends PaymentLink {
  readonly status: PaymentLinkStatus;
}

/** Adds the status by the merchant's clock, and whether the buyer must enter an address. */
export function shownPaymentLink(deps: Deps, merchant: Merchant, link: PaymentLink): ShownPaymentLink {
  const status = paymentLinkStatus(link, now(deps, merchant));
  return { ...link, status, requireAddress: isAddressRequired(link) };
}
