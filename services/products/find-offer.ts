import { findOffer as findRow, listOffers as listRows, type OfferFilter } from '../../db/products/offers.ts';
import { isUuid, normalizeUuid } from '../../domain/identifiers.ts';
import type { Offer } from '../../domain/products/offer.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { Deps } from '../deps.ts';
import { type DatedPageInput, datedPageRequest, type Page } from '../page-request.ts';
import { notFound } from '../refusal.ts';
import { findProduct } from './find-product.ts';

/** An offer by its id, in either case. Refusal: `not_found`. */
export async function findOffer(deps: Pick<Deps, 'db'>, merchant: MerchantScope, id: string): Promise<Offer> {
  const offer = isUuid(id) ? await findRow(deps.db, merchant, normalizeUuid(id)) : undefined;
  if (offer === undefined) throw notFound('Offer');
  return offer;
}

/** Offers of a product, newest first. Refusals: as `datedPageRequest`; `not_found` for the product. */
export async function listOffers(
  deps: Pick<Deps, 'db'>,
  merchant: MerchantScope,
  { page, ...filter }: OfferFilter & { readonly page: DatedPageInput },
): Promise<Page<Offer>> {
  const request = datedPageRequest(page);
  const product = await findProduct(deps, merchant, filter.productId);
  return listRows(deps.db, merchant, { ...filter, productId: product.id }, request);
}
