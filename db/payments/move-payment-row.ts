import type { EventRecord } from '../../domain/events/event.ts';
import type { Posting } from '../../domain/ledger/posting.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { Tx } from '../engine/database.ts';
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
 * `before` and `after`, and the new steps of the history. Returns false, with nothing written, when the payment is no longer
 * in the state that was read. This is the only statement that changes the state or the amounts of a payment, and the only
 * one that writes transfers.
 */
export async function movePaymentRow(
  tx: Tx,
  scope: MerchantScope,
  { before, after, events, postings }: PaymentRowChange,
): Promise<boolean> {
  const { columns, params } = changedColumns(before, after);
  const update = `update payments set ${[...columns, 'updated_at = :updated_at'].join(', ')}
      where {scope} and id = :id and status = :from_status
        and pending_operation is not distinct from :from_pending_operation`;
  const all = {
    ...params,
    id: before.id,
    from_status: before.status,
    from_pending_operation: before.pendingOperation,
    updated_at: after.updatedAt,
  };
  const ledger = ledgerWrites(before.id, postings);
  const writes = [...(events.length === 0 ? [] : [insertEvents(events)]), ...ledger.expressions];
  if (writes.length === 0) return (await tx.execute(scope, update, all)) === 1;
  const moved = await tx.execute(
    scope,
    `with moved as (${update} returning slot, merchant_id, id), ${writes.join(', ')} select 1 from moved`,
    { ...all, ...Object.assign({}, ...events.map(eventParams)), ...ledger.params },
  );
  return moved === 1;
}

function insertEvents(events: readonly EventRecord[]): string {
  return `written as (
     insert into events (slot, merchant_id, id, event, object_type, object_id, payment_id, data, created_at)
     select m.slot, m.merchant_id, e.id, e.event, 'payment', m.id, m.id, e.data, e.created_at
       from moved m, (values ${events.map((_, i) => eventValues(i)).join(', ')}) e (id, event, data, created_at)
     returning slot, merchant_id, id),
   queued as (
     insert into event_outbox (slot, merchant_id, event_id) select slot, merchant_id, id from written)`;
}

/** The assignments of the columns that differ, and their parameters. */
function changedColumns(before: Payment, after: Payment) {
  const [old, changed] = [columnsOf(before), columnsOf(after)];
  const names = Object.keys(changed).filter((name) => !isSame(old[name], changed[name]));
  const columns = names.map((name) => `${name} = :${name}`);
  const params = Object.fromEntries(names.map((name) => [name, changed[name]]));
  const steps = after.history.slice(before.history.length);
  if (steps.length === 0) return { columns, params };
  return {
    columns: [...columns, 'history = history || cast(:steps as jsonb)'],
    params: { ...params, steps: JSON.stringify(steps) },
  };
}

/** The columns that moves may change, except the history and `updated_at`. */
function columnsOf(payment: Payment): Readonly<Record<string, unknown>> {
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

function eventValues(i: number): string {
  return `(cast(:event_id_${i} as uuid), :event_${i}, cast(:data_${i} as json), cast(:created_at_${i} as timestamptz))`;
}

function eventParams(event: EventRecord, i: number) {
  return {
    [`event_id_${i}`]: event.id,
    [`event_${i}`]: event.event,
    [`data_${i}`]: JSON.stringify(event.data),
    [`created_at_${i}`]: event.createdAt,
  };
}
