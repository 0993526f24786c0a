import { findPlacedOrder } from '../../db/orders/placed-orders.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { PlacedOrder } from '../../domain/orders/order.ts';
import { isStorableText } from '../../domain/text.ts';
import type { Deps } from '../deps.ts';
import { notFound } from '../refusal.ts';

/** An order by its id or code, with its payment as it is now. Refusal: `not_found`. */
export async function getOrder(deps: Deps, merchant: Merchant, identifier: string): Promise<PlacedOrder> {
  const order = isStorableText(identifier) ? await findPlacedOrder(deps.db, merchant, identifier) : undefined;
  if (order === undefined) throw notFound('Order');
  return order;
}
