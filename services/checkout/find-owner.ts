import { findCheckoutPaymentByHash } from '../../db/checkout/checkout-payments.ts';
import { findMerchantOfLink } from '../../db/links/payment-links.ts';
import { findMerchant } from '../../db/merchants/merchants.ts';
import { findMerchantOfOffer } from '../../db/products/offers.ts';
import { isPublicHash, slotOfHash } from '../../domain/identifiers.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { Deps } from '../deps.ts';
import { notFound, requireRow } from '../refusal.ts';

/** The merchant of a checkout page or payment, and the id of the payment link or the offer. */
export interface PageOwner {
  readonly merchant: Merchant;
  readonly pageId: string;
}

export const NO_SUCH_PAGE = 'Payment page';

/** Whose checkout page this is. Refusal: `not_found`. */
export async function ownerOfPage(deps: Deps, hash: string): Promise<PageOwner> {
  if (!isPublicHash(hash)) throw notFound(NO_SUCH_PAGE);
  const slot = slotOfHash(hash)!;
  const link = await findMerchantOfLink(deps.db, slot, hash);
  if (link !== undefined) return ownerOf(deps, { slot, merchantId: link.merchantId }, link.linkId);
  const offer = await findMerchantOfOffer(deps.db, slot, hash);
  if (offer !== undefined) return ownerOf(deps, { slot, merchantId: offer.merchantId }, offer.offerId);
  throw notFound(NO_SUCH_PAGE);
}

/** Whose payment this is, if it was made at a checkout page. Refusal: `not_found`. */
export async function ownerOfCheckoutPayment(deps: Deps, hash: string): Promise<PageOwner> {
  const { scope, payment } = await requireCheckoutPayment(deps, hash);
  return ownerOf(deps, scope, (payment.paymentLinkId ?? payment.offerId)!);
}

/** The payment with this hash, if it was made at a checkout page. Refusal: `not_found`. */
export async function findCheckoutPayment(deps: Deps, hash: string): Promise<Payment> {
  return (await requireCheckoutPayment(deps, hash)).payment;
}

async function requireCheckoutPayment(deps: Deps, hash: string) {
  const found = isPublicHash(hash)
    ? await findCheckoutPaymentByHash(deps.db, slotOfHash(hash)!, hash)
    : undefined;
  if (found === undefined) throw notFound('Payment');
  return found;
}

async function ownerOf(deps: Deps, scope: MerchantScope, pageId: string): Promise<PageOwner> {
  return { merchant: requireRow(await findMerchant(deps.db, scope)), pageId };
}
