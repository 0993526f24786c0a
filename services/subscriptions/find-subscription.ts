import type { Queryable } from '../../db/engine/database.ts';
import { listInvoices as listInvoiceRows } from '../../db/subscriptions/invoices.ts';
import { findPaymentsOfCycles } from '../../db/subscriptions/subscription-payments.ts';
import {
  findSubscriptionByCode,
  findSubscriptionById,
  listSubscriptions as listRows,
  type SubscriptionFilter,
} from '../../db/subscriptions/subscriptions.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type {
  InvoiceWithPayments,
  ShownSubscription,
  Subscription,
} from '../../domain/subscriptions/subscription.ts';
import { isStorableText } from '../../domain/text.ts';
import type { Deps } from '../deps.ts';
import {
  type DatedPageInput,
  datedPageRequest,
  type Page,
  type PageInput,
  pageRequest,
} from '../page-request.ts';
import { notFound } from '../refusal.ts';
import { showSubscriptions } from './shown-subscription.ts';

/** Names a subscription by one of its two identifiers. A code can look like the id of another subscription. */
export type SubscriptionKey =
  | { readonly id: string; readonly code?: undefined }
  | { readonly code: string; readonly id?: undefined };

/** A subscription by its id, in either case, or by its code, in this order. Refusal: `not_found`. */
export async function findSubscription(
  q: Queryable,
  merchant: Merchant,
  identifier: string,
): Promise<Subscription> {
  const byId = await findSubscriptionById(q, merchant, identifier);
  return byId ?? findSubscriptionByKey(q, merchant, { code: identifier });
}

/** The same by the identifier that is given. */
export async function findSubscriptionByKey(
  q: Queryable,
  merchant: Merchant,
  { id, code }: SubscriptionKey,
): Promise<Subscription> {
  const found =
    id === undefined ? await findByCode(q, merchant, code) : await findSubscriptionById(q, merchant, id);
  if (found === undefined) throw notFound('Subscription');
  return found;
}

async function findByCode(q: Queryable, merchant: Merchant, code: string): Promise<Subscription | undefined> {
  return isStorableText(code) ? findSubscriptionByCode(q, merchant, code) : undefined;
}

/** The same with its latest payment. */
export async function getSubscription(
  deps: Deps,
  merchant: Merchant,
  identifier: string,
): Promise<ShownSubscription> {
  const subscription = await findSubscription(deps.db, merchant, identifier);
  return (await showSubscriptions(deps.db, merchant, [subscription]))[0]!;
}

/** Subscriptions of the merchant, newest first. Refusals: as `datedPageRequest`. */
export async function listSubscriptions(
  deps: Deps,
  merchant: Merchant,
  { page, ...filter }: SubscriptionFilter & { readonly page: DatedPageInput },
): Promise<Page<ShownSubscription>> {
  const found = await listRows(deps.db, merchant, filter, datedPageRequest(page));
  return { ...found, items: await showSubscriptions(deps.db, merchant, found.items) };
}

/** The invoices of a subscription with their payments, newest first. Refusals: as `pageRequest`; `not_found`. */
export async function listInvoices(
  deps: Deps,
  merchant: Merchant,
  identifier: string,
  page: PageInput,
): Promise<Page<InvoiceWithPayments>> {
  const request = pageRequest(page);
  const { id } = await findSubscription(deps.db, merchant, identifier);
  const found = await listInvoiceRows(deps.db, merchant, id, request);
  const cycles = found.items.map(({ cycle }) => cycle);
  const payments = Map.groupBy(
    await findPaymentsOfCycles(deps.db, merchant, id, cycles),
    (payment) => payment.cycle,
  );
  const items = found.items.map((invoice) => ({ ...invoice, payments: payments.get(invoice.cycle) ?? [] }));
  return { ...found, items };
}
