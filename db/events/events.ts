import type { EventRecord } from '../../domain/events/event.ts';
import type { EventObject } from '../../domain/events/event-object.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { Database, Queryable } from '../engine/database.ts';
import { defineList, equals } from '../engine/list.ts';
import { fetchPage, mapPage, type Page, type PageRequest } from '../engine/page.ts';
import { rowsById } from '../engine/rows-by-id.ts';

export interface EventRow {
  id: string;
  event: string;
  object_type: EventObject;
  object_id: string;
  payment_id: string | null;
  data: unknown;
  created_at: Date;
}

const COLUMNS = 'id, event, object_type, object_id, payment_id, data, created_at';

/** An event by its id. */
export async function findEvent(
  q: Queryable,
  scope: MerchantScope,
  id: string,
): Promise<EventRecord | undefined> {
  const row = await q.maybeOne<EventRow>(scope, `select ${COLUMNS} from events where {scope} and id = :id`, {
    id,
  });
  return row === undefined ? undefined : toEvent(row);
}

/** An event whose `data` is JSON as it was written. */
export type StoredEvent = Omit<EventRecord, 'data'> & { readonly dataJson: string };

type StoredEventRow = Omit<EventRow, 'data'> & { data_json: string };

const STORED = `e.id, e.event, e.object_type, e.object_id, e.payment_id, cast(e.data as text) as data_json, e.created_at`;

/** Events of a merchant by their ids, in the order of the ids. Those that do not exist are left out. */
export async function findStoredEvents(
  q: Queryable,
  scope: MerchantScope,
  ids: readonly string[],
): Promise<StoredEvent[]> {
  const rows = await q.rows<StoredEventRow>(
    scope,
    rowsById(`select ${STORED} from events e where {scope:e}`, { key: 'e.id' }),
    { ids },
  );
  return rows.map(toStoredEvent);
}

/** The same for merchants of one slot, in no order. */
export async function findStoredEventsOfSlot(
  db: Database,
  slot: number,
  ids: readonly { readonly merchantId: string; readonly eventId: string }[],
): Promise<StoredEvent[]> {
  const rows = await db.slotRows<StoredEventRow>(
    slot,
    `select e.* from unnest(cast(:merchant_ids as uuid[]), cast(:ids as uuid[])) w (merchant_id, id)
      cross join lateral (
        select ${STORED} from events e where {slot:e} and e.merchant_id = w.merchant_id and e.id = w.id offset 0) e`,
    { merchant_ids: ids.map(({ merchantId }) => merchantId), ids: ids.map(({ eventId }) => eventId) },
  );
  return rows.map(toStoredEvent);
}

function toStoredEvent(row: StoredEventRow): StoredEvent {
  const { data: _, ...fields } = toEvent({ ...row, data: null });
  return { ...fields, dataJson: row.data_json };
}

export interface EventFilter {
  readonly event?: string | undefined;
  readonly paymentId?: string | undefined;
  readonly objectId?: string | undefined;
}

const EVENTS = defineList<EventRow, EventFilter>({
  columns: COLUMNS,
  from: 'events',
  filters: {
    event: equals('event'),
    // The payment is the object of its events, which have an index.
    paymentId: (query, id) => query.where('object_id', id).where('payment_id', id),
    objectId: equals('object_id'),
  },
});

/** Events of the merchant, newest first. */
export async function listEvents(
  q: Queryable,
  scope: MerchantScope,
  filter: EventFilter,
  page: PageRequest,
): Promise<Page<EventRecord>> {
  return mapPage(await fetchPage(q, scope, EVENTS, filter, page), toEvent);
}

/** When the merchant's newest event was written (merchant's time); null before the first. */
export async function lastEventAt(q: Queryable, scope: MerchantScope): Promise<Date | null> {
  const row = await q.one<{ at: Date | null }>(
    scope,
    'select max(created_at) as at from events where {scope}',
  );
  return row.at;
}

/** How many events there are between two instants, both included, and the first of them in order. */
export async function readEventsBetween(
  q: Queryable,
  scope: MerchantScope,
  between: { from: Date; to: Date; limit: number },
): Promise<{ total: number; first: Pick<EventRecord, 'id' | 'event' | 'createdAt'>[] }> {
  const { from, to, limit } = between;
  const range = '{scope} and created_at between :from and :to';
  const { total } = await q.one<{ total: number }>(
    scope,
    `select count(*) as total from events where ${range}`,
    { from, to },
  );
  const rows = await q.rows<Pick<EventRow, 'id' | 'event' | 'created_at'>>(
    scope,
    `select id, event, created_at from events where ${range} order by created_at, id limit :limit`,
    { from, to, limit },
  );
  return { total, first: rows.map(({ id, event, created_at }) => ({ id, event, createdAt: created_at })) };
}

export function toEvent(row: EventRow): EventRecord {
  return {
    id: row.id,
    event: row.event,
    objectType: row.object_type,
    objectId: row.object_id,
    paymentId: row.payment_id,
    data: row.data,
    createdAt: row.created_at,
  };
}
