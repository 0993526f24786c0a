import type { EventRecord } from '../../domain/events/event.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import { jsonArray, plainArray, timeArray } from '../engine/array-text.ts';
import { bulk } from '../engine/bulk.ts';
import type { Tx } from '../engine/database.ts';

/** Writes events, and queues them for their deliveries. */
export async function insertEvents(
  tx: Tx,
  scope: MerchantScope,
  events: readonly EventRecord[],
): Promise<void> {
  if (events.length > 0) await insertLists(tx, scope, events);
}

const insertLists = bulk<Tx, readonly EventRecord[], void>(async (tx, scope, lists) => {
  const events = lists.flat();
  await tx.execute(
    scope,
    `with written as (
       insert into events (slot, merchant_id, id, event, object_type, object_id, payment_id, data, created_at)
       select :slot, :merchant_id, e.id, e.event, e.object_type, e.object_id, e.payment_id, cast(e.data as json), e.created_at
         from unnest(cast(:ids as uuid[]), cast(:events as text[]), cast(:object_types as text[]),
           cast(:object_ids as uuid[]), cast(:payment_ids as uuid[]), cast(:data as text[]),
           cast(:created_ats as timestamptz[])) e (id, event, object_type, object_id, payment_id, data, created_at)
       returning slot, merchant_id, id)
     insert into event_outbox (slot, merchant_id, event_id) select slot, merchant_id, id from written`,
    {
      ids: plainArray(events.map(({ id }) => id)),
      events: plainArray(events.map(({ event }) => event)),
      object_types: plainArray(events.map(({ objectType }) => objectType)),
      object_ids: plainArray(events.map(({ objectId }) => objectId)),
      payment_ids: plainArray(events.map(({ paymentId }) => paymentId)),
      data: jsonArray(events.map(({ data }) => JSON.stringify(data))),
      created_ats: timeArray(events.map(({ createdAt }) => createdAt)),
    },
  );
  return [];
});
