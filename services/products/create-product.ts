import { findProduct, insertProduct } from '../../db/products/products.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { Metadata } from '../../domain/metadata.ts';
import type { Product } from '../../domain/products/product.ts';
import { type Deps, type Finish, now } from '../deps.ts';
import { requireRow } from '../refusal.ts';

export interface NewProduct {
  readonly id: string;
  readonly name: string;
  readonly description?: string;
  readonly metadata?: Metadata;
}

/**
 * Creates a product with the id `id`. If the id exists, this is a repetition of the request, and the result is that
 * product.
 */
export function createProduct<Answer>(
  deps: Deps,
  merchant: Merchant,
  { id, name, description, metadata = {} }: NewProduct,
  finish: Finish<Product, Answer>,
): Promise<Answer> {
  return deps.db.transaction(merchant, async (tx) => {
    const at = now(deps, merchant);
    const product = { id, name, description: description ?? null, metadata, createdAt: at, updatedAt: at };
    const created = (await insertProduct(tx, merchant, product)) ?? (await findProduct(tx, merchant, id));
    return finish(tx, requireRow(created));
  });
}
