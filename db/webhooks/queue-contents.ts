import type { Delivery, DeliveryQueue } from '../../domain/webhooks/delivery.ts';
import type { Database, Queryable } from '../engine/database.ts';
import type { SqlParams } from '../engine/sql.ts';
import { DELIVERY_COLUMNS, type DeliveryRow, toDelivery } from './deliveries.ts';
import { ENDPOINT_COLUMNS, type EndpointRow, type StoredEndpoint, toEndpoint } from './endpoints.ts';

/** The settings that apply to all deliveries of a queue. */
export interface QueueSettings {
  /** Undefined for a notification URL, and if the endpoint was deleted. */
  readonly endpoint: StoredEndpoint | undefined;
  /** The merchant's own pauses between attempts; null: the usual ones. */
  readonly retries_ms: readonly number[] | null;
  /** Signs deliveries to notification URLs; null: they are not signed. */
  readonly notificationSecretSealed: Buffer | null;
}

/** Where a delivery without a row of its own is. */
export interface UnsentPlace {
  /**
   * The row that lists it, and how many of the row's deliveries have a result. All of its deliveries share the object.
   */
  readonly row: { readonly id: string; readonly sent: number };
  /** Its place in the lists of the row, from 0. */
  readonly place: number;
}

/** A pending delivery. `unsent` is set while it has no row of its own. */
export type PendingDelivery = Delivery & { readonly unsent?: UnsentPlace };

export interface QueueContents {
  readonly settings: QueueSettings;
  /** The first ones, in the order in which they are due. */
  readonly pending: readonly PendingDelivery[];
}

/**
 * Reads queues of one slot, and the first `limit` pending deliveries of each, in two statements for any number of
 * queues. Returns the contents in the order of the queues.
 */
export function readQueues(
  db: Database,
  slot: number,
  queues: readonly DeliveryQueue[],
  limit: number,
): Promise<QueueContents[]> {
  return readWith((sql, params) => db.slotRows(slot, sql, params), queues, limit);
}

/** The same for one queue. */
export async function readQueue(q: Queryable, queue: DeliveryQueue, limit: number): Promise<QueueContents> {
  const [contents] = await readWith(
    (sql, params) => q.rows(queue, withinMerchant(sql), params),
    [queue],
    limit,
  );
  return contents!;
}

/** A statement over the rows of a slot, limited to one merchant. */
function withinMerchant(sql: string): string {
  return sql.replaceAll('{slot:', '{scope:');
}

type Read = <Row>(sql: string, params: SqlParams) => Promise<Row[]>;

async function readWith(
  read: Read,
  queues: readonly DeliveryQueue[],
  limit: number,
): Promise<QueueContents[]> {
  const params = {
    merchant_ids: queues.map(({ merchantId }) => merchantId),
    queue_ids: queues.map(({ queueId }) => queueId),
  };
  const [settings, pending] = await Promise.all([
    read<SettingsRow>(SETTINGS, params),
    read<PendingRow>(PENDING, { ...params, limit }),
  ]);
  const pendingOf = Map.groupBy(pending, ({ place }) => place);
  return settings.map((row, i) => ({
    settings: toSettings(row),
    pending: (pendingOf.get(row.place) ?? [])
      .flatMap((each) => toPending(each, queues[i]!.queueId))
      .slice(0, limit),
  }));
}

/** With the `limit`, Postgres expects one queue, and does not plan each call (see `valuesOf`). */
const QUEUES = `(
  select * from unnest(cast(:merchant_ids as uuid[]), cast(:queue_ids as uuid[])) with ordinality
      q (merchant_id, id, place)
   limit cardinality(cast(:queue_ids as uuid[]))) q`;
const qualified = (alias: string, columns: readonly string[]) =>
  columns.map((column) => `${alias}.${column}`).join(', ');

interface SettingsRow extends EndpointRow {
  place: number;
  webhook_retries_ms: string[] | null;
  notification_secret_sealed: Buffer | null;
}

const SETTINGS = `
  select q.place, m.webhook_retries_ms, m.notification_secret_sealed, ${qualified('w', ENDPOINT_COLUMNS)}
    from ${QUEUES}
    left join merchants m on {slot:m} and m.merchant_id = q.merchant_id
    left join webhook_endpoints w on {slot:w} and w.merchant_id = q.merchant_id and w.id = q.id
   order by q.place`;

/** A row of one delivery; or, if `sent` is set, a row that lists unsent deliveries. */
interface PendingRow extends DeliveryRow {
  place: number;
  sent: number | null;
  delivery_ids: string;
  event_ids: string;
  events: string;
}

/** For each column of a delivery, its value in a row that lists unsent deliveries. */
const unsentColumns = DELIVERY_COLUMNS.map((column) => {
  if (column === 'next_attempt_at') return 'u.created_at';
  return ['id', 'url', 'created_at'].includes(column) ? `u.${column}` : 'null';
});

/**
 * Deliveries, and rows that list unsent ones. The lists are texts, which cost less than arrays. One statement reads
 * both: with two, a delivery that gets its own row between them could be missed.
 */
const PENDING = `
  select q.place, ${qualified('d', DELIVERY_COLUMNS)}, cast(null as integer) as sent, cast(null as text) as delivery_ids,
         cast(null as text) as event_ids, cast(null as text) as events
    from ${QUEUES}
    cross join lateral (
      select ${qualified('d', DELIVERY_COLUMNS)}
        from webhook_deliveries d
       where {slot:d} and d.merchant_id = q.merchant_id and d.queue_id = q.id and d.status = 'pending'
       order by d.next_attempt_at, d.id limit :limit) d
  union all
  select q.place, ${unsentColumns.join(', ')}, u.sent, u.delivery_ids, u.event_ids, u.events
    from ${QUEUES}
    cross join lateral (
      select r.id, r.url, r.created_at, r.sent,
             array_to_string(r.delivery_ids[r.sent + 1 : r.sent + :limit - r.before], ',') as delivery_ids,
             array_to_string(r.event_ids[r.sent + 1 : r.sent + :limit - r.before], ',') as event_ids,
             array_to_string(r.events[r.sent + 1 : r.sent + :limit - r.before], ',') as events
        from (select n.*, cast(sum(n.total - n.sent) over (order by n.id) as integer) - (n.total - n.sent) as before
                from (select u.id, u.url, u.created_at, u.sent, u.total, u.delivery_ids, u.event_ids, u.events
                        from unsent_webhook_deliveries u
                       where {slot:u} and u.merchant_id = q.merchant_id and u.queue_id = q.id
                       order by u.id limit :limit) n) r
       where r.before < :limit) u
   order by place, next_attempt_at, id`;

function toPending(row: PendingRow, queueId: string): PendingDelivery[] {
  if (row.sent === null) return [toDelivery(row)];
  const eventIds = row.event_ids.split(',');
  const events = row.events.split(',');
  const unsentRow = { id: row.id, sent: row.sent };
  return row.delivery_ids.split(',').map((id, i) => ({
    id,
    endpointId: queueId,
    url: row.url,
    event: events[i]!,
    eventId: eventIds[i]!,
    status: 'pending',
    error: null,
    nextAttemptAt: row.created_at,
    scheduleStep: 0,
    attempts: [],
    responseBody: null,
    createdAt: row.created_at,
    unsent: { row: unsentRow, place: unsentRow.sent + i },
  }));
}

function toSettings(row: SettingsRow): QueueSettings {
  return {
    endpoint: row.id === null ? undefined : toEndpoint(row),
    retries_ms: row.webhook_retries_ms?.map(Number) ?? null,
    notificationSecretSealed: row.notification_secret_sealed,
  };
}
