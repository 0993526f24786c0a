import type { EventRecord } from '../../domain/events/event.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { Queryable } from '../engine/database.ts';
import { type EventRow, toEvent } from './events.ts';

/** The position of an event in the feed; null while it has none; undefined where there is no such event. */
export async function findPosition(
  q: Queryable,
  scope: MerchantScope,
  eventId: string,
): Promise<number | null | undefined> {
  const row = await q.maybeOne<{ position: number | null }>(
    scope,
    `select p.position from events e left join event_positions p on {scope:p} and p.event_id = e.id
      where {scope:e} and e.id = :id`,
    { id: eventId },
  );
  return row?.position;
}

/** The event at the last position of the feed; null before the first. */
export async function lastPositioned(q: Queryable, scope: MerchantScope): Promise<string | null> {
  const row = await q.maybeOne<{ id: string }>(
    scope,
    `select e.id from event_positions p cross join lateral (
        select id from events where {scope} and id = p.event_id offset 0) e
      where {scope:p} order by p.position desc limit 1`,
  );
  return row?.id ?? null;
}

const EVENT = 'e.id, e.event, e.object_type, e.object_id, e.payment_id, e.data, e.created_at';
/** A join can read all events of the merchant. `lateral` with `offset 0` leaves only the search for each of them. */
const AFTER = `
  select e.* from event_positions p cross join lateral (
     select ${EVENT} from events e where {scope:e} and e.id = p.event_id offset 0) e
   where {scope:p} and p.position > :after_position
   order by p.position limit :limit`;
/**
 * Reads the ids of the object's events first, which are few. Without it, Postgres reads all events while their
 * statistics are old.
 */
const OF_OBJECT_AFTER = `
  with own as materialized (select id from events where {scope} and object_id = :object_id)
  select ${EVENT} from own
    join event_positions p on {scope:p} and p.event_id = own.id
    join events e on {scope:e} and e.id = own.id
   where p.position > :after_position
   order by p.position limit :limit`;

/**
 * The first events after a position, in the order of their positions; only those of an object if `objectId` is given.
 */
export async function readFeed(
  q: Queryable,
  scope: MerchantScope,
  {
    afterPosition,
    objectId,
    limit,
  }: { readonly afterPosition: number; readonly objectId?: string | undefined; readonly limit: number },
): Promise<EventRecord[]> {
  const rows = await q.rows<EventRow>(scope, objectId === undefined ? AFTER : OF_OBJECT_AFTER, {
    after_position: afterPosition,
    limit,
    ...(objectId !== undefined && { object_id: objectId }),
  });
  return rows.map(toEvent);
}
