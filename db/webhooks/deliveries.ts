import { timeOfUuidV7 } from '../../domain/identifiers.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type {
  Delivery,
  DeliveryAttempt,
  DeliveryError,
  DeliveryStatus,
} from '../../domain/webhooks/delivery.ts';
import type { Queryable, Tx } from '../engine/database.ts';
import { firstIdAt } from '../engine/ids-by-time.ts';
import { defineList, equals } from '../engine/list.ts';
import { fetchMergedPage, mapPage, type Page, type PageRequest } from '../engine/page.ts';
import { UNSENT_AS_DELIVERIES } from './unsent-deliveries.ts';

/** A delivery that is to be sent at once. */
export interface NewDelivery {
  readonly id: string;
  readonly queueId: string;
  readonly endpointId: string | null;
  readonly url: string;
  readonly event: string;
  readonly eventId: string | null;
}

export interface DeliveryRow {
  id: string;
  queue_id: string;
  endpoint_id: string | null;
  url: string;
  event: string;
  event_id: string | null;
  status: DeliveryStatus;
  error_code: string | null;
  error_message: string | null;
  next_attempt_at: Date | null;
  schedule_step: number;
  attempts: AttemptJson[];
  response_body: string | null;
  created_at: Date;
}

interface AttemptJson {
  at: string;
  duration_ms: number;
  status: number | null;
  error: DeliveryError | null;
}

export const DELIVERY_COLUMNS =
  `id queue_id endpoint_id url event event_id status error_code error_message next_attempt_at schedule_step
  attempts response_body created_at`.split(/\s+/);
const COLUMNS = DELIVERY_COLUMNS.join(', ');

/** A delivery and its queue. */
export type StoredDelivery = Delivery & { readonly queueId: string };

/** Adds deliveries that are due at `at` (wall time), all in one statement. */
export async function insertDeliveries(
  q: Queryable,
  scope: MerchantScope,
  deliveries: readonly NewDelivery[],
  at: Date,
): Promise<void> {
  if (deliveries.length === 0) return;
  await q.execute(
    scope,
    `insert into webhook_deliveries (slot, merchant_id, id, queue_id, endpoint_id, url, event, event_id, next_attempt_at,
       created_at)
     select :slot, :merchant_id, id, queue_id, endpoint_id, url, event, event_id, :at, :at
       from unnest(cast(:ids as uuid[]), cast(:queue_ids as uuid[]), cast(:endpoint_ids as uuid[]), cast(:urls as text[]),
         cast(:events as text[]), cast(:event_ids as uuid[])) d (id, queue_id, endpoint_id, url, event, event_id)`,
    {
      ids: deliveries.map(({ id }) => id),
      queue_ids: deliveries.map(({ queueId }) => queueId),
      endpoint_ids: deliveries.map(({ endpointId }) => endpointId),
      urls: deliveries.map(({ url }) => url),
      events: deliveries.map(({ event }) => event),
      event_ids: deliveries.map(({ eventId }) => eventId),
      at,
    },
  );
}

export async function findDelivery(
  q: Queryable,
  scope: MerchantScope,
  id: string,
): Promise<Delivery | undefined> {
  const row = await q.maybeOne<DeliveryRow>(
    scope,
    `select ${COLUMNS} from webhook_deliveries where {scope} and id = :id
      union all select ${COLUMNS} from (${UNSENT_BY_ID}) u where {scope:u}`,
    { id, created_at: timeOfUuidV7(id) },
  );
  return row && toDelivery(row);
}

/** The same, locked until the transaction ends. */
export async function lockDelivery(
  tx: Tx,
  scope: MerchantScope,
  id: string,
): Promise<StoredDelivery | undefined> {
  const lock = (sql: string) => tx.maybeOne<DeliveryRow>(scope, sql, { id, created_at: timeOfUuidV7(id) });
  // A delivery may get its own row between the first two statements, so the first one runs again.
  const row = (await lock(LOCK)) ?? (await lock(LOCK_UNSENT)) ?? (await lock(LOCK));
  return row && { ...toDelivery(row), queueId: row.queue_id };
}

const LOCK = `select ${COLUMNS} from webhook_deliveries where {scope} and id = :id for update`;
/** The id of a delivery contains the creation time of its row, so an index finds the row among any number of others. */
const UNSENT_BY_ID = `${UNSENT_AS_DELIVERIES} and u.created_at = :created_at and d.id = :id`;
const LOCK_UNSENT = `${UNSENT_BY_ID} for update of u`;

export interface DeliveryFilter {
  readonly endpointId?: string | undefined;
  readonly event?: string | undefined;
  readonly eventId?: string | undefined;
  readonly status?: DeliveryStatus | undefined;
}

/** When the fan-out created the deliveries of an event. */
const FANNED_OUT_AT =
  '(select p.created_at from event_positions p where {scope:p} and p.event_id = :by_event_id)';

const DELIVERIES = defineList<DeliveryRow, DeliveryFilter>({
  columns: COLUMNS,
  from: 'webhook_deliveries',
  hasIdsByTime: true,
  filters: {
    endpointId: equals('endpoint_id'),
    event: equals('event'),
    // The ids of a fan-out are in one millisecond.
    // An index by event is not needed. Each delivery would have to write to it.
    eventId: (query, id) =>
      query
        .where('event_id', id)
        .whereRaw(
          `id >= ${firstIdAt(FANNED_OUT_AT)} and id < ${firstIdAt(`${FANNED_OUT_AT} + interval '1 ms'`)}`,
        ),
    status: equals('status'),
  },
});

const UNSENT = defineList<DeliveryRow, DeliveryFilter>({
  columns: COLUMNS,
  from: `(${UNSENT_AS_DELIVERIES}) u`,
  alias: 'u',
  filters: {
    endpointId: equals('endpoint_id'),
    // Rows without the event are left out before their deliveries are taken apart: 30 ms instead of 1.4 s for a
    // million.
    event: (query, event) => query.where('event', event).whereRaw('? = any(row_events)', [event]),
    eventId: (query, id) => query.where('event_id', id).whereRaw(`u.created_at = ${FANNED_OUT_AT}`),
    status: equals('status'),
  },
});

/** Deliveries of the merchant, newest first. */
export async function listDeliveries(
  q: Queryable,
  scope: MerchantScope,
  filter: DeliveryFilter,
  page: PageRequest,
): Promise<Page<Delivery>> {
  return mapPage(await fetchMergedPage(q, scope, [UNSENT, DELIVERIES], filter, page), toDelivery);
}

export function toDelivery(row: DeliveryRow): Delivery {
  return {
    id: row.id,
    endpointId: row.endpoint_id,
    url: row.url,
    event: row.event,
    eventId: row.event_id,
    status: row.status,
    error: row.error_code === null ? null : { code: row.error_code, message: row.error_message! },
    nextAttemptAt: row.next_attempt_at,
    scheduleStep: row.schedule_step,
    attempts: row.attempts.map(toAttempt),
    responseBody: row.response_body,
    createdAt: row.created_at,
  };
}

function toAttempt({ at, duration_ms, status, error }: AttemptJson): DeliveryAttempt {
  return { attemptedAt: new Date(at), duration_ms, responseStatus: status, error };
}

/** The attempts as JSON for the column. */
export function attemptsJson(attempts: readonly DeliveryAttempt[]): string {
  const stored: AttemptJson[] = attempts.map(({ attemptedAt, duration_ms, responseStatus, error }) => ({
    at: attemptedAt.toISOString(),
    duration_ms,
    status: responseStatus,
    error,
  }));
  return JSON.stringify(stored);
}
