import type { MerchantScope } from '../../domain/scope.ts';
import type { InvoiceStatus } from '../../domain/subscriptions/invoice-moves.ts';
import type { Invoice } from '../../domain/subscriptions/subscription.ts';
import type { Queryable, Tx } from '../engine/database.ts';
import { defineList, equals } from '../engine/list.ts';
import { fetchPage, mapPage, type Page, type PageRequest } from '../engine/page.ts';

interface InvoiceRow {
  id: string;
  cycle: number;
  status: InvoiceStatus;
  billing_date: string;
  period_end: string;
  amount_centavos: number;
  credit_centavos: number;
  paid_at: Date | null;
  created_at: Date;
}

const COLUMNS =
  'id, cycle, status, billing_date, period_end, amount_centavos, credit_centavos, paid_at, created_at';

/** An invoice that is opened: that of a new cycle, or the voided one of a cycle that is opened again. */
export interface OpenedInvoice extends Omit<Invoice, 'status' | 'paidAt'> {
  readonly subscriptionId: string;
}

/** Writes the invoice of a cycle that is opened. False if the cycle has an invoice that is not void. */
export async function openInvoice(tx: Tx, scope: MerchantScope, invoice: OpenedInvoice): Promise<boolean> {
  const touched = await tx.execute(
    scope,
    `insert into subscription_invoices (slot, merchant_id, subscription_id, cycle, id, status, billing_date, period_end,
       amount_centavos, credit_centavos, created_at, updated_at)
     values (:slot, :merchant_id, :subscription_id, :cycle, :id, 'open', :billing_date, :period_end, :amount_centavos,
       :credit_centavos, :at, :at)
     on conflict (slot, merchant_id, subscription_id, cycle) do update
       set status = excluded.status, billing_date = excluded.billing_date, period_end = excluded.period_end,
           amount_centavos = excluded.amount_centavos, credit_centavos = excluded.credit_centavos,
           updated_at = excluded.updated_at
     where subscription_invoices.status = 'void'`,
    {
      subscription_id: invoice.subscriptionId,
      cycle: invoice.cycle,
      id: invoice.id,
      billing_date: invoice.billingDate,
      period_end: invoice.periodEnd,
      amount_centavos: invoice.amount_centavos,
      credit_centavos: invoice.credit_centavos,
      at: invoice.createdAt,
    },
  );
  return touched === 1;
}

/** A move of the invoice of a cycle. */
export interface MovedInvoice {
  readonly subscriptionId: string;
  readonly cycle: number;
  readonly from: readonly InvoiceStatus[];
  readonly to: InvoiceStatus;
  readonly at: Date;
}

/** Moves an invoice; false when it was not in `from`. */
export async function moveInvoiceRow(tx: Tx, scope: MerchantScope, moved: MovedInvoice): Promise<boolean> {
  const touched = await tx.execute(
    scope,
    `update subscription_invoices set status = :to, paid_at = :paid_at, updated_at = :at
      where {scope} and subscription_id = :subscription_id and cycle = :cycle and status = any(:from)`,
    {
      subscription_id: moved.subscriptionId,
      cycle: moved.cycle,
      from: moved.from,
      to: moved.to,
      paid_at: moved.to === 'paid' ? moved.at : null,
      at: moved.at,
    },
  );
  return touched === 1;
}

const INVOICES = defineList<InvoiceRow, { readonly subscriptionId: string }>({
  columns: COLUMNS,
  from: 'subscription_invoices',
  filters: { subscriptionId: equals('subscription_id') },
});

/** The invoices of a subscription, newest first. */
export async function listInvoices(
  q: Queryable,
  scope: MerchantScope,
  subscriptionId: string,
  page: PageRequest,
): Promise<Page<Invoice>> {
  return mapPage(await fetchPage(q, scope, INVOICES, { subscriptionId }, page), toInvoice);
}

function toInvoice(row: InvoiceRow): Invoice {
  return {
    id: row.id,
    cycle: row.cycle,
    status: row.status,
    billingDate: row.billing_date,
    periodEnd: row.period_end,
    amount_centavos: row.amount_centavos,
    credit_centavos: row.credit_centavos,
    paidAt: row.paid_at,
    createdAt: row.created_at,
  };
}
