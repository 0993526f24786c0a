import { findPaymentLink as findRow, listPaymentLinks as listRows } from '../../db/links/payment-links.ts';
import { isUuid, normalizeUuid } from '../../domain/identifiers.ts';
import type { PaymentLinkStatus } from '../../domain/links/payment-link-status.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import { type Deps, now } from '../deps.ts';
import { type DatedPageInput, datedPageRequest, type Page } from '../page-request.ts';
import { notFound } from '../refusal.ts';
import { type ShownPaymentLink, showPaymentLink, showPaymentLinks } from './shown-payment-link.ts';

/** A payment link by its id, in either case. Refusal: `not_found`. */
export async function findPaymentLink(deps: Deps, merchant: Merchant, id: string): Promise<ShownPaymentLink> {
  const link = isUuid(id) ? await findRow(deps.db, merchant, normalizeUuid(id)) : undefined;
  if (link === undefined) throw notFound('Payment link');
  return showPaymentLink(deps, deps.db, merchant, link);
}

/**
 * Payment links of the merchant, newest first. With `status`, only those that have this status now. Refusals: as
 * `datedPageRequest`.
 */
export async function listPaymentLinks(
  deps: Deps,
  merchant: Merchant,
  { page, status }: { readonly page: DatedPageInput; readonly status: PaymentLinkStatus | undefined },
): Promise<Page<ShownPaymentLink>> {
  const filter = { status, at: now(deps, merchant) };
  const found = await listRows(deps.db, merchant, filter, datedPageRequest(page));
  return { ...found, items: await showPaymentLinks(deps, deps.db, merchant, found.items) };
}
