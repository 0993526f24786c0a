import { utcMicros } from '../../domain/local-time.ts';
import type { Product } from '../../domain/products/product.ts';
import type { components } from '../../generated/types.ts';

/** A product as in the contract. */
export function productAnswer(product: Product): components['schemas']['Product'] {
  return {
    id: product.id,
    name: product.name,
    description: product.description,
    metadata: product.metadata,
    created_at: utcMicros(product.createdAt),
    updated_at: utcMicros(product.updatedAt),
  };
}
