import type { PriceBand } from '../../domain/products/price-ladder.ts';
import type { components } from '../../generated/types.ts';

/** The bands of a request under their domain names. A band without an end applies to all later cycles. */
export function priceBands(bands: readonly components['schemas']['PriceBand'][]): PriceBand[] {
  return bands.map(({ start, end = null, amount }) => ({ start, end, amount_centavos: amount }));
}
