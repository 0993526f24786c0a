import {
  type DisputeFilter,
  findDispute as findRow,
  listDisputes as listRows,
} from '../../db/disputes/disputes.ts';
import type { Queryable } from '../../db/engine/database.ts';
import type { Dispute } from '../../domain/disputes/dispute.ts';
import { isUuid, normalizeUuid } from '../../domain/identifiers.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { Deps } from '../deps.ts';
import { type DatedPageInput, datedPageRequest, type Page } from '../page-request.ts';
import { notFound } from '../refusal.ts';

/** A dispute by its id, in either case. Refusal: `not_found`. */
export async function findDispute(q: Queryable, merchant: Merchant, id: string): Promise<Dispute> {
  const dispute = isUuid(id) ? await findRow(q, merchant, normalizeUuid(id)) : undefined;
  if (dispute === undefined) throw notFound('Dispute');
  return dispute;
}

/** Disputes of the merchant, newest first. Refusals: as `datedPageRequest`. */
export async function listDisputes(
  deps: Deps,
  merchant: Merchant,
  { page, ...filter }: DisputeFilter & { readonly page: DatedPageInput },
): Promise<Page<Dispute>> {
  return listRows(deps.db, merchant, filter, datedPageRequest(page));
}
