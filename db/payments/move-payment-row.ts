import type { EventRecord } from '../../domain/events/event.ts';
import type { Posting } from '../../domain/ledger/posting.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import { bulk, eachOnce } from '../engine/bulk.ts';
import type { Tx } from '../engine/database.ts';
import { type ColumnTypes, type Row, rowList } from '../engine/row-list.ts';
import { ledgerWrites } from '../ledger/post-transfers.ts';
import { splitColumn } from './payment-row.ts';

/** One or more moves of a payment, written at once. */
export interface PaymentRowChange {
  /** The payment as it was read under its lock. */
  readonly before: Payment;
  readonly after: Payment;
  /** The events of these moves, all about this payment. */
  readonly events: readonly EventRecord[];
  /** The ledger transfers of these moves. */
  readonly postings: readonly Posting[];
}

/**
 * Writes moves of a payment, their events and their ledger transfers in one statement: the columns that differ between
 * `before` and `after`, and the new steps of the history. Returns false when the payment is no longer in the state that
 * was read: the caller must then undo the transaction. Moves of several payments in bulk are one statement. This is the
 * only statement that changes the state or the amounts of a payment, and the only one that writes transfers.
 */
export function movePaymentRow(tx: Tx, scope: MerchantScope, change: PaymentRowChange): Promise<boolean> {
  return writeChanges(tx, scope, change);
}

const writeChanges = bulk(async (tx: Tx, scope, changes: readonly PaymentRowChange[]) => {
  const columns = changes.length === 1 ? differing(changes[0]!) : COLUMNS;
  const types = { ...READ_TYPES, ...Object.fromEntries(columns.map((name) => [name, CHANGED_TYPES[name]])) };
  const rows = rowList('n', types, changes.map(rowOf), { isPlannedForOne: true });
  const assigned = [...columns, 'updated_at'].map((column) => `${column} = n.${column}`);
  const update = `update payments p set ${[...assigned, 'history = p.history || n.steps'].join(', ')} from ${rows.sql}
      where {scope:p} and p.id = n.id and p.status = n.from_status
        and p.pending_operation is not distinct from n.from_pending_operation
      returning p.slot, p.merchant_id, p.id`;
  const events = eventWrites(changes.flatMap((change) => change.events));
  const ledger = ledgerWrites(changes.flatMap(({ postings }) => postings));
  const writes = [...events.expressions, ...ledger.expressions];
  const moved = await tx.rows<{ id: string }>(
    scope,
    writes.length === 0 ? update : `with moved as (${update}), ${writes.join(', ')} select id from moved`,
    { ...rows.params, ...events.params, ...ledger.params },
  );
  const ids = changes.map(({ before }) => before.id);
  return eachOnce(
    ids,
    moved.map(({ id }) => id),
  );
});

const EVENT_TYPES = {
  payment_id: 'uuid',
  id: 'uuid',
  event: 'text',
  data: 'json',
  created_at: 'timestamptz',
} as const;

/** The writes of events, as expressions of the statement that moves their payments. */
function eventWrites(events: readonly EventRecord[]) {
  if (events.length === 0) return { expressions: [], params: {} };
  const rows = rowList(
    'e',
    EVENT_TYPES,
    events.map(({ paymentId, id, event, data, createdAt }) => ({
      payment_id: paymentId,
      id,
      event,
      data: JSON.stringify(data),
      created_at: createdAt,
    })),
  );
  const written = `written as (
     insert into events (slot, merchant_id, id, event, object_type, object_id, payment_id, data, created_at)
     select m.slot, m.merchant_id, e.id, e.event, 'payment', m.id, m.id, e.data, e.created_at
       from moved m join ${rows.sql} on e.payment_id = m.id
     returning slot, merchant_id, id)`;
  const queued = `queued as (
     insert into event_outbox (slot, merchant_id, event_id) select slot, merchant_id, id from written)`;
  return { expressions: [written, queued], params: rows.params };
}

/** What the statement reads of each change. */
const READ_TYPES = {
  id: 'uuid',
  from_status: 'text',
  from_pending_operation: 'text',
  updated_at: 'timestamptz',
  steps: 'jsonb',
} as const;

/** The columns that moves may change, except the history and `updated_at`. */
const CHANGED_TYPES = {
  status: 'text',
  pending_operation: 'text',
  captured_centavos: 'bigint',
  refunded_centavos: 'bigint',
  refunding_centavos: 'bigint',
  details: 'json',
  split: 'jsonb',
  fee_centavos: 'bigint',
  captured_on: 'date',
  refusal_code: 'text',
  refusal_message: 'text',
  refusal_retryable: 'boolean',
  due_at: 'timestamptz',
} as const satisfies ColumnTypes;
type ChangedColumn = keyof typeof CHANGED_TYPES;
const COLUMNS = Object.keys(CHANGED_TYPES) as ChangedColumn[];

function rowOf({ before, after }: PaymentRowChange) {
  return {
    ...columnsOf(after),
    id: before.id,
    from_status: before.status,
    from_pending_operation: before.pendingOperation,
    updated_at: after.updatedAt,
    steps: JSON.stringify(after.history.slice(before.history.length)),
  };
}

/** The columns whose values differ. */
function differing({ before, after }: PaymentRowChange): ChangedColumn[] {
  const [old, changed] = [columnsOf(before), columnsOf(after)];
  return COLUMNS.filter((name) => !isSame(old[name], changed[name]));
}

function columnsOf(payment: Payment): Row<typeof CHANGED_TYPES> {
  return {
    status: payment.status,
    pending_operation: payment.pendingOperation,
    captured_centavos: payment.captured_centavos,
    refunded_centavos: payment.refunded_centavos,
    refunding_centavos: payment.refunding_centavos,
    details: JSON.stringify(payment.details),
    split: splitColumn(payment.split),
    fee_centavos: payment.fee_centavos,
    captured_on: payment.capturedOn,
    refusal_code: payment.refusal?.code ?? null,
    refusal_message: payment.refusal?.message ?? null,
    refusal_retryable: payment.refusal?.retryable ?? null,
    due_at: payment.dueAt,
  };
}

function isSame(a: unknown, b: unknown): boolean {
  if (a instanceof Date && b instanceof Date) return a.getTime() === b.getTime();
  return a === b;
}
