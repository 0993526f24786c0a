import type { EventRecord } from '../../domain/events/event.ts';
import type { PaymentStatus, PaymentStep } from '../../domain/payments/payment.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { Tx } from '../engine/database.ts';
import type { PaymentPatch } from './payment-patch.ts';

/** One or more moves of a payment, written at once. */
export interface PaymentRowChange {
  readonly id: string;
  /** The status that was read, and the one after the last move. They may be the same. */
  readonly from: PaymentStatus;
  readonly to: PaymentStatus;
  /** The statuses that the payment went through, added to its history. */
  readonly steps: readonly PaymentStep[];
  readonly patch: PaymentPatch;
  /** The events of these moves, all about this payment. */
  readonly events: readonly EventRecord[];
  readonly at: Date;
}

/**
 * Writes moves of a payment and their events in one statement. Returns false, with nothing written, when the payment is
 * no longer in the status that was read. This is the only statement that changes a status.
 */
export async function movePaymentRow(
  tx: Tx,
  scope: MerchantScope,
  change: PaymentRowChange,
): Promise<boolean> {
  const { id, from, to, steps, patch, events, at } = change;
  const assignments = Object.keys(patch).map((column) => `${column} = :${column}`);
  if (steps.length > 0) assignments.push('status = :to', 'history = history || cast(:steps as jsonb)');
  const update = `update payments set ${[...assignments, 'updated_at = :at'].join(', ')}
      where {scope} and id = :id and status = :from`;
  const params = { ...patch, id, from, to, steps: JSON.stringify(steps), at };
  if (events.length === 0) return (await tx.execute(scope, update, params)) === 1;
  const written = await tx.execute(
    scope,
    `with moved as (${update} returning slot, merchant_id, id)
     insert into events (slot, merchant_id, id, event, object_type, object_id, payment_id, data, created_at)
     select m.slot, m.merchant_id, e.id, e.event, 'payment', m.id, m.id, e.data, e.created_at
       from moved m, (values ${events.map((_, i) => eventValues(i)).join(', ')}) e (id, event, data, created_at)`,
    { ...params, ...Object.assign({}, ...events.map(eventParams)) },
  );
  return written === events.length;
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
