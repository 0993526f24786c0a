import type { EventObject } from '../../domain/events/event-object.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { Claim } from '../engine/claim.ts';
import type { Database, Tx } from '../engine/database.ts';
import { slotsWithRows } from '../engine/slots-with-rows.ts';

/** An event whose deliveries are not created yet. */
export interface OutboxEvent {
  readonly id: string;
  readonly event: string;
  readonly objectType: EventObject;
  readonly objectId: string;
}

/** Slots with such events. */
export async function slotsWithOutbox(db: Database): Promise<number[]> {
  const key = 'slot, merchant_id, event_id';
  const rows = await db.anywhere<{ slot: number }>(slotsWithRows('event_outbox', 'true', key));
  return rows.map(({ slot }) => slot);
}

/** Goes through the primary key from each merchant to the next one, and passes the other events of the merchant. */
const NEXT = (condition: string) => `
  select o.merchant_id from event_outbox o where {slot:o} ${condition} order by o.merchant_id, o.event_id limit 1`;
const OF_ANY = `
  with recursive found as (
    (${NEXT('')})
    union all
    select following.* from found, lateral (${NEXT('and o.merchant_id > found.merchant_id')}) following)
  select merchant_id from found where merchant_id <> all(cast(:except as uuid[])) limit :limit`;
const OF_ONE = NEXT('and o.merchant_id = :only');

/** Merchants of a slot with such events. */
export async function merchantsWithOutbox(
  db: Database,
  slot: number,
  { only, except, limit }: Claim,
): Promise<MerchantScope[]> {
  const rows =
    only === null
      ? await db.slotRows<{ merchant_id: string }>(slot, OF_ANY, { except, limit })
      : await db.slotRows<{ merchant_id: string }>(slot, OF_ONE, { only });
  return rows.map((row) => ({ slot, merchantId: row.merchant_id }));
}

/**
 * Locks the merchant's feed until the transaction ends. Returns the last assigned position; undefined while another
 * transaction holds the lock.
 */
export async function lockFeed(tx: Tx, scope: MerchantScope): Promise<number | undefined> {
  const lock = () =>
    tx.maybeOne<{ last_position: number }>(
      scope,
      'select last_position from event_feeds where {scope} for update skip locked',
    );
  let row = await lock();
  if (row === undefined) {
    const made = await tx.execute(
      scope,
      'insert into event_feeds (slot, merchant_id) values (:slot, :merchant_id) on conflict do nothing',
    );
    if (made === 1) row = await lock();
  }
  return row?.last_position;
}

/**
 * Events whose deliveries are not created yet, in the order of their ids. Each is read by its id (`lateral … limit`),
 * because a join reads all events of the merchant while their statistics are old.
 */
export async function listOutbox(tx: Tx, scope: MerchantScope, limit: number): Promise<OutboxEvent[]> {
  const rows = await tx.rows<{ id: string; event: string; object_type: EventObject; object_id: string }>(
    scope,
    `with own as materialized (
       select event_id from event_outbox where {scope} order by event_id limit :limit)
     select e.id, e.event, e.object_type, e.object_id
       from own cross join lateral (
         select id, event, object_type, object_id from events e where {scope:e} and e.id = own.event_id limit 1) e
      order by e.id`,
    { limit },
  );
  return rows.map((row) => ({
    id: row.id,
    event: row.event,
    objectType: row.object_type,
    objectId: row.object_id,
  }));
}

/** Assigns the positions after `lastPosition` to events, in their order, and removes them from the outbox. */
export async function positionEvents(
  tx: Tx,
  scope: MerchantScope,
  { lastPosition, eventIds, at }: { lastPosition: number; eventIds: readonly string[]; at: Date },
): Promise<void> {
  await tx.execute(
    scope,
    `with positioned as (
       insert into event_positions (slot, merchant_id, position, event_id, created_at)
       select :slot, :merchant_id, cast(:last_position as bigint) + number, id, cast(:at as timestamptz)
         from unnest(cast(:ids as uuid[])) with ordinality as e (id, number)),
     fed as (
       update event_feeds set last_position = cast(:last_position as bigint) + :count where {scope})
     delete from event_outbox where {scope} and event_id = any(:ids)`,
    { last_position: lastPosition, ids: eventIds, count: eventIds.length, at },
  );
}
