import type { MerchantScope } from '../../domain/scope.ts';
import type { RowMove } from '../../domain/state-machine.ts';
import type { InvoiceStatus } from '../../domain/subscriptions/invoice-moves.ts';
import type { Invoice } from '../../domain/subscriptions/subscription.ts';
import { bulk, eachOnce } from '../engine/bulk.ts';
import type { Queryable, Tx } from '../engine/database.ts';
import { defineList, equals } from '../engine/list.ts';
import { fetchPage, mapPage, type Page, type PageRequest } from '../engine/page.ts';
import { rowList } from '../engine/row-list.ts';

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
  /** The move of an invoice that the cycle has already. A new one is created with the status `to`. */
  readonly move: RowMove<InvoiceStatus>;
}

/**
 * Writes the invoice of a cycle that is opened, new or again, in one statement. False if the cycle has an invoice that
 * is not in `from`.
 */
export function openInvoice(tx: Tx, scope: MerchantScope, invoice: OpenedInvoice): Promise<boolean> {
  return openRows(tx, scope, invoice);
}

const OPENED_TYPES = {
  subscription_id: 'uuid',
  cycle: 'integer',
  id: 'uuid',
  billing_date: 'date',
  period_end: 'date',
  amount_centavos: 'bigint',
  credit_centavos: 'bigint',
  at: 'timestamptz',
} as const;

const openRows = bulk(
  async (tx: Tx, scope, invoices: readonly OpenedInvoice[]) => {
    const { from, to } = invoices[0]!.move;
    const rows = rowList(
      'n',
      OPENED_TYPES,
      invoices.map((invoice) => ({
        subscription_id: invoice.subscriptionId,
        cycle: invoice.cycle,
        id: invoice.id,
        billing_date: invoice.billingDate,
        period_end: invoice.periodEnd,
        amount_centavos: invoice.amount_centavos,
        credit_centavos: invoice.credit_centavos,
        at: invoice.createdAt,
      })),
    );
    const opened = await tx.rows<CycleRow>(
      scope,
      `insert into subscription_invoices (slot, merchant_id, subscription_id, cycle, id, status, billing_date, period_end,
       amount_centavos, credit_centavos, created_at, updated_at)
     select :slot, :merchant_id, n.subscription_id, n.cycle, n.id, :to, n.billing_date, n.period_end,
            n.amount_centavos, n.credit_centavos, n.at, n.at
       from ${rows.sql}
     on conflict (slot, merchant_id, subscription_id, cycle) do update
       set status = :to, billing_date = excluded.billing_date, period_end = excluded.period_end,
           amount_centavos = excluded.amount_centavos, credit_centavos = excluded.credit_centavos,
           updated_at = excluded.updated_at
     where subscription_invoices.status = any(:from)
     returning subscription_id, cycle`,
      { ...rows.params, from, to },
    );
    return eachOnce(invoices.map(keyOf), opened.map(keyOfRow));
  },
  ({ move }) => shapeOf(move),
);

/** A move of the invoice of a cycle. */
export interface MovedInvoice extends RowMove<InvoiceStatus> {
  readonly subscriptionId: string;
  readonly cycle: number;
  readonly at: Date;
}

/** Moves an invoice; false when it was not in `from`. */
export function moveInvoiceRow(tx: Tx, scope: MerchantScope, moved: MovedInvoice): Promise<boolean> {
  return moveRows(tx, scope, moved);
}

const moveRows = bulk(async (tx: Tx, scope, invoices: readonly MovedInvoice[]) => {
  const rows = rowList(
    'n',
    { subscription_id: 'uuid', cycle: 'integer', paid_at: 'timestamptz', at: 'timestamptz' },
    invoices.map(({ subscriptionId, cycle, to, at }) => ({
      subscription_id: subscriptionId,
      cycle,
      paid_at: to === 'paid' ? at : null,
      at,
    })),
    { isPlannedForOne: true },
  );
  const { from, to } = invoices[0]!;
  const moved = await tx.rows<CycleRow>(
    scope,
    `update subscription_invoices i set status = :to, paid_at = n.paid_at, updated_at = n.at from ${rows.sql}
        where {scope:i} and i.subscription_id = n.subscription_id and i.cycle = n.cycle and i.status = any(:from)
        returning i.subscription_id, i.cycle`,
    { ...rows.params, from, to },
  );
  return eachOnce(invoices.map(keyOf), moved.map(keyOfRow));
}, shapeOf);

/** Moves with the same states are written together. */
function shapeOf({ from, to }: RowMove<InvoiceStatus>): string {
  return `${from} ${to}`;
}

interface CycleRow {
  readonly subscription_id: string;
  readonly cycle: number;
}

const keyOf = (invoice: { readonly subscriptionId: string; readonly cycle: number }) =>
  `${invoice.subscriptionId} ${invoice.cycle}`;
const keyOfRow = (row: CycleRow) => `${row.subscription_id} ${row.cycle}`;

const INVOICES = defineList<InvoiceRow, { readonly subscriptionId: string }>({
  columns: COLUMNS,
  from: 'subscription_invoices',
  filters: { subscriptionId: equals('subscription_id') },
});

/** The invoice of a cycle; undefined if the cycle was never opened. */
export async function findInvoice(
  q: Queryable,
  scope: MerchantScope,
  { subscriptionId, cycle }: { readonly subscriptionId: string; readonly cycle: number },
): Promise<Invoice | undefined> {
  const row = await q.maybeOne<InvoiceRow>(
    scope,
    `select ${COLUMNS} from subscription_invoices
      where {scope} and subscription_id = :subscription_id and cycle = :cycle`,
    { subscription_id: subscriptionId, cycle },
  );
  return row && toInvoice(row);
}

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
