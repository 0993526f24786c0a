import type { MerchantScope } from '../../domain/scope.ts';
import type { DeliveryError, DeliveryStatus } from '../../domain/webhooks/delivery.ts';
import { plainArray, textArray } from '../engine/array-text.ts';
import type { Queryable, Tx } from '../engine/database.ts';

/** Deliveries of one endpoint that are to be sent at once, in their order. */
export interface UnsentDeliveries {
  /** Of the row. */
  readonly id: string;
  readonly endpointId: string;
  readonly url: string;
  readonly deliveries: readonly { readonly id: string; readonly event: string; readonly eventId: string }[];
}

/** Adds deliveries that are due at `at` (wall time), with a row for each endpoint, all in one statement. */
export async function insertUnsent(
  tx: Tx,
  scope: MerchantScope,
  rows: readonly UnsentDeliveries[],
  at: Date,
): Promise<void> {
  if (rows.length === 0) return;
  const lists = <Value>(list: (row: UnsentDeliveries) => Value) => rows.map(list);
  await tx.execute(
    scope,
    `insert into unsent_webhook_deliveries (slot, merchant_id, queue_id, id, url, delivery_ids, event_ids, events, total,
       created_at)
     select :slot, :merchant_id, queue_id, id, url, cast(delivery_ids as uuid[]), cast(event_ids as uuid[]),
            cast(events as text[]), total, :at
       from unnest(cast(:queue_ids as uuid[]), cast(:ids as uuid[]), cast(:urls as text[]), cast(:delivery_ids as text[]),
         cast(:event_ids as text[]), cast(:events as text[]), cast(:totals as integer[]))
         u (queue_id, id, url, delivery_ids, event_ids, events, total)`,
    {
      queue_ids: lists(({ endpointId }) => endpointId),
      ids: lists(({ id }) => id),
      urls: lists(({ url }) => url),
      delivery_ids: textArray(lists(({ deliveries }) => plainArray(deliveries.map(({ id }) => id)))),
      event_ids: textArray(lists(({ deliveries }) => plainArray(deliveries.map(({ eventId }) => eventId)))),
      // Names of events need no quotes.
      events: textArray(lists(({ deliveries }) => plainArray(deliveries.map(({ event }) => event)))),
      totals: lists(({ deliveries }) => deliveries.length),
      at,
    },
  );
}

/**
 * The deliveries of `unsent_webhook_deliveries`, as rows of `webhook_deliveries`. `row_events`: the events of all in
 * the row.
 */
export const UNSENT_AS_DELIVERIES = `
  select u.slot, u.merchant_id, d.id, u.queue_id, u.queue_id as endpoint_id, u.url, d.event, d.event_id,
         'pending' as status, cast(null as text) as error_code, cast(null as text) as error_message,
         u.created_at as next_attempt_at, 0 as schedule_step, cast('[]' as jsonb) as attempts,
         cast(null as text) as response_body, u.created_at, u.events as row_events
    from unsent_webhook_deliveries u
    cross join lateral unnest(u.delivery_ids, u.event_ids, u.events) with ordinality d (id, event_id, event, place)
   where {scope:u} and d.place > u.sent`;

/**
 * Fails up to `limit` rows of deliveries of an endpoint that no longer accepts any. Returns how many deliveries there
 * were.
 */
export async function dropUnsentDeliveries(
  q: Queryable,
  scope: MerchantScope,
  queueId: string,
  {
    to,
    error,
    limit,
  }: { readonly to: DeliveryStatus; readonly error: DeliveryError; readonly limit: number },
): Promise<number> {
  return q.execute(
    scope,
    `with dropped as (
       delete from unsent_webhook_deliveries where {scope} and queue_id = :queue_id and id in (
         select id from unsent_webhook_deliveries where {scope} and queue_id = :queue_id order by id limit :limit)
       returning queue_id, url, delivery_ids, event_ids, events, sent, created_at)
     insert into webhook_deliveries (slot, merchant_id, id, queue_id, endpoint_id, url, event, event_id, status, error_code,
       error_message, created_at)
     select :slot, :merchant_id, d.id, u.queue_id, u.queue_id, u.url, d.event, d.event_id, :to, :code, :message, u.created_at
       from dropped u
       cross join lateral unnest(u.delivery_ids, u.event_ids, u.events) with ordinality d (id, event_id, event, place)
      where d.place > u.sent`,
    { queue_id: queueId, to, limit, ...error },
  );
}
