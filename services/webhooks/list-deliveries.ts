import {
  type DeliveryFilter,
  findDelivery as findDeliveryRow,
  listDeliveries as listDeliveryRows,
} from '../../db/webhooks/deliveries.ts';
import { isCanonicalUuid, normalizeUuid } from '../../domain/identifiers.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { Delivery } from '../../domain/webhooks/delivery.ts';
import type { Deps } from '../deps.ts';
import { type DatedPageInput, datedPageRequest, type Page } from '../page-request.ts';
import { notFound } from '../refusal.ts';

export type { Delivery };

/** Deliveries of the merchant, newest first. Refusals: as `datedPageRequest`. */
export async function listDeliveries(
  deps: Deps,
  merchant: Merchant,
  { page, ...filter }: DeliveryFilter & { readonly page: DatedPageInput },
): Promise<Page<Delivery>> {
  return listDeliveryRows(deps.db, merchant, filter, datedPageRequest(page));
}

/** A delivery by its id. Refusal: `not_found`. */
export async function findDelivery(deps: Deps, merchant: Merchant, id: string): Promise<Delivery> {
  const delivery = isCanonicalUuid(id)
    ? await findDeliveryRow(deps.db, merchant, normalizeUuid(id))
    : undefined;
  if (delivery === undefined) throw notFound('Webhook delivery');
  return delivery;
}
