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

/** The first events after a position, in the order of their positions. */
export async function readFeed(
  q: Queryable,
  scope: MerchantScope,
  { afterPosition, limit }: { readonly afterPosition: number; readonly limit: number },
): Promise<EventRecord[]> {
  const rows = await q.rows<EventRow>(
    scope,
    `select e.id, e.event, e.object_type, e.object_id, e.payment_id, e.data, e.created_at
       from event_positions p join events e on {scope:e} and e.id = p.event_id
      where {scope:p} and p.position > :after_position
      order by p.position limit :limit`,
    { after_position: afterPosition, limit },
  );
  return rows.map(toEvent);
}
