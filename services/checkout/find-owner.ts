import { findCheckoutPaymentByHash } from '../../db/checkout/checkout-payments.ts';
import { findMerchantOfLink } from '../../db/links/payment-links.ts';
import { findMerchant } from '../../db/merchants/merchants.ts';
import { findMerchantOfOffer } from '../../db/products/offers.ts';
import type { CheckoutPayment } from '../../domain/checkout/checkout-payment.ts';
import { isPublicHash, slotOfHash } from '../../domain/identifiers.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { Deps } from '../deps.ts';
import { notFound, requireRow } from '../refusal.ts';

export const NO_SUCH_PAGE = 'Payment page';

/** Whose checkout page this is, and the id of its link or offer. Refusal: `not_found`. */
export async function ownerOfPage(
  deps: Deps,
  hash: string,
): Promise<{ readonly merchant: Merchant; readonly pageId: string }> {
  if (!isPublicHash(hash)) throw notFound(NO_SUCH_PAGE);
  const slot = slotOfHash(hash)!;
  const link = await findMerchantOfLink(deps.db, slot, hash);
  if (link !== undefined) {
    return { merchant: await ownerOf(deps, { slot, merchantId: link.merchantId }), pageId: link.linkId };
  }
  const offer = await findMerchantOfOffer(deps.db, slot, hash);
  if (offer !== undefined) {
    return { merchant: await ownerOf(deps, { slot, merchantId: offer.merchantId }), pageId: offer.offerId };
  }
  throw notFound(NO_SUCH_PAGE);
}

/**
 * The payment with this hash, if it was made at a checkout page or is a charge of a subscription that was started
 * there, and its merchant. Refusal: `not_found`.
 */
export async function ownerOfCheckoutPayment(
  deps: Deps,
  hash: string,
): Promise<{ readonly merchant: Merchant; readonly found: CheckoutPayment }> {
  const { scope, ...found } = await requireCheckoutPayment(deps, hash);
  return { merchant: await ownerOf(deps, scope), found };
}

/** The same without the merchant. */
export function findCheckoutPayment(deps: Deps, hash: string): Promise<CheckoutPayment> {
  return requireCheckoutPayment(deps, hash);
}

async function requireCheckoutPayment(deps: Deps, hash: string) {
  const found = isPublicHash(hash)
    ? await findCheckoutPaymentByHash(deps.db, slotOfHash(hash)!, hash)
    : undefined;
  if (found === undefined) throw notFound('Payment');
  return found;
}

async function ownerOf(deps: Deps, scope: MerchantScope): Promise<Merchant> {
  return requireRow(await findMerchant(deps.db, scope));
}
