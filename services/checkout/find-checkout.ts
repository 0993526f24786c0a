import { findPaymentLink, findPaymentLinkByHash } from '../../db/links/payment-links.ts';
import { findMerchant } from '../../db/merchants/merchants.ts';
import { findOffer, findOfferByHash } from '../../db/products/offers.ts';
import { findProduct } from '../../db/products/products.ts';
import { type Checkout, checkoutOfLink, checkoutOfOffer } from '../../domain/checkout/checkout.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { type Deps, now } from '../deps.ts';
import { notFound, requireRow } from '../refusal.ts';
import { NO_SUCH_PAGE } from './find-owner.ts';

/** The checkout of a payment link or an offer by its hash, as it is now. Refusal: `not_found`. */
export async function findCheckout(deps: Deps, merchant: Merchant, hash: string): Promise<Checkout> {
  const link = await findPaymentLinkByHash(deps.db, merchant, hash);
  if (link !== undefined) {
    const hasInterest = link.interestMode === 'installments';
    const interest = (hasInterest && (await findMerchant(deps.db, merchant))?.installmentInterest) || {};
    return checkoutOfLink(link, { merchant, interest, at: now(deps, merchant) });
  }
  const offer = await findOfferByHash(deps.db, merchant, hash);
  if (offer === undefined) throw notFound(NO_SUCH_PAGE);
  const product = requireRow(await findProduct(deps.db, merchant, offer.productId));
  return checkoutOfOffer(offer, product, merchant);
}

/** The hash of the payment link or the offer that a payment or a subscription was made for. */
export async function pageHashOf(
  deps: Deps,
  merchant: Merchant,
  { paymentLinkId, offerId }: Pick<Payment, 'paymentLinkId' | 'offerId'>,
): Promise<string> {
  const page =
    paymentLinkId === null
      ? await findOffer(deps.db, merchant, offerId!)
      : await findPaymentLink(deps.db, merchant, paymentLinkId);
  return requireRow(page).hash;
}
