import { lockProduct, updateProduct as updateRow } from '../../db/products/products.ts';
import { isUuid, normalizeUuid } from '../../domain/identifiers.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { MetadataChanges } from '../../domain/metadata.ts';
import type { Product } from '../../domain/products/product.ts';
import { type Deps, type Finish, now } from '../deps.ts';
import { updatedMetadata } from '../metadata.ts';
import { notFound, Violations } from '../refusal.ts';

/** Any subset of the fields. Metadata is merged. */
export interface ProductChanges {
  readonly name?: string;
  readonly description?: string | null;
  readonly metadata?: MetadataChanges;
}

/** Changes a product. Refusals: `not_found`; `metadata` when too many keys would remain. */
export function updateProduct<Answer>(
  deps: Deps,
  merchant: Merchant,
  input: { readonly id: string; readonly changes: ProductChanges },
  finish: Finish<Product, Answer>,
): Promise<Answer> {
  const { metadata, ...changes } = input.changes;
  return deps.db.transaction(merchant, async (tx) => {
    const stored = isUuid(input.id) ? await lockProduct(tx, merchant, normalizeUuid(input.id)) : undefined;
    if (stored === undefined) throw notFound('Product');
    const violations = new Violations();
    const merged = updatedMetadata(violations, stored.metadata, metadata);
    violations.throwIfAny();
    const changed = { ...stored, ...changes, metadata: merged, updatedAt: now(deps, merchant) };
    return finish(tx, await updateRow(tx, merchant, changed));
  });
}
