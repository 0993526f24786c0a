import { listPlacedOrders } from '../../db/orders/placed-orders.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { PlacedOrder } from '../../domain/orders/order.ts';
import { type OrderStatus, paymentStatusesOf } from '../../domain/orders/order-status.ts';
import type { Deps } from '../deps.ts';
import { type DatedPageInput, datedPageRequest, type Page } from '../page-request.ts';

export interface OrderListInput {
  readonly page: DatedPageInput;
  readonly code?: string | undefined;
  readonly customerId?: string | undefined;
  readonly status?: OrderStatus | undefined;
}

/** Orders of the merchant with their payments, newest first. Refusals: as `datedPageRequest`. */
export async function listOrders(
  deps: Deps,
  merchant: Merchant,
  { page, code, customerId, status }: OrderListInput,
): Promise<Page<PlacedOrder>> {
  const paymentStatuses = status === undefined ? undefined : paymentStatusesOf(status);
  return listPlacedOrders(deps.db, merchant, { code, customerId, paymentStatuses }, datedPageRequest(page));
}
