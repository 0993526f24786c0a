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

export interface QueueContents {
  readonly settings: QueueSettings;
  /** The first ones, in the order in which they are due. */
  readonly pending: readonly Delivery[];
}

/**
 * Reads queues of one slot, and the first `limit` pending deliveries of each, in two statements for any number of queues.
 * Returns the contents in the order of the queues.
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
  return settings.map((row) => ({
    settings: toSettings(row),
    pending: (pendingOf.get(row.place) ?? []).map(toDelivery),
  }));
}

const QUEUES = `unnest(cast(:merchant_ids as uuid[]), cast(:queue_ids as uuid[])) with ordinality
  q (merchant_id, id, place)`;
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

interface PendingRow extends DeliveryRow {
  place: number;
}

const PENDING = `
  select q.place, d.*
    from ${QUEUES}
    cross join lateral (
      select ${qualified('d', DELIVERY_COLUMNS)}
        from webhook_deliveries d
       where {slot:d} and d.merchant_id = q.merchant_id and d.queue_id = q.id and d.status = 'pending'
       order by d.next_attempt_at, d.id limit :limit) d
   order by q.place, d.next_attempt_at, d.id`;

function toSettings(row: SettingsRow): QueueSettings {
  return {
    endpoint: row.id === null ? undefined : toEndpoint(row),
    retries_ms: row.webhook_retries_ms?.map(Number) ?? null,
    notificationSecretSealed: row.notification_secret_sealed,
  };
}
