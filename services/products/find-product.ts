import {
  findProduct as findRow,
  listProducts as listRows,
  type ProductFilter,
} from '../../db/products/products.ts';
import { isUuid, normalizeUuid } from '../../domain/identifiers.ts';
import type { Product } from '../../domain/products/product.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { Deps } from '../deps.ts';
import { type DatedPageInput, datedPageRequest, type Page } from '../page-request.ts';
import { notFound } from '../refusal.ts';

/** A product by its id, in either case. Refusal: `not_found`. */
export async function findProduct(
  deps: Pick<Deps, 'db'>,
  merchant: MerchantScope,
  id: string,
): Promise<Product> {
  const product = isUuid(id) ? await findRow(deps.db, merchant, normalizeUuid(id)) : undefined;
  if (product === undefined) throw notFound('Product');
  return product;
}

/** Products of the merchant, newest first. Refusals: as `datedPageRequest`. */
export async function listProducts(
  deps: Pick<Deps, 'db'>,
  merchant: MerchantScope,
  { page, ...filter }: ProductFilter & { readonly page: DatedPageInput },
): Promise<Page<Product>> {
  return listRows(deps.db, merchant, filter, datedPageRequest(page));
}
