import type { Database } from '../engine/database.ts';

/** What is not delivered yet, in all merchants. */
export interface WebhookBacklog {
  /** Since when the first due queue waits for a process to deliver it (wall time); null if none waits. */
  readonly oldestDueAt: Date | null;
  /** Pending deliveries that are due. */
  readonly due: number;
  /** Pending deliveries that failed and are sent again later. */
  readonly scheduled: number;
  /** Events whose deliveries are not created yet. */
  readonly events: number;
}

/**
 * Reads the backlog at `wall`. Counts at most `limit` deliveries and events, so that a large backlog does not make the
 * count slow.
 */
export async function readBacklog(db: Database, wall: Date, limit: number): Promise<WebhookBacklog> {
  const [oldest] = await db.anywhere<{ due_at: Date | null }>(
    `select min(greatest(due_at, leased_until)) as due_at from webhook_queues
      where greatest(due_at, leased_until) <= :wall`,
    { wall },
  );
  // Ordered like the index of pending deliveries, so that Postgres does not scan the table.
  const [deliveries] = await db.anywhere<{ due: number; scheduled: number }>(
    `select count(*) filter (where next_attempt_at <= :wall) as due,
            count(*) filter (where next_attempt_at > :wall) as scheduled
       from (select next_attempt_at from webhook_deliveries where status = 'pending'
              order by slot, merchant_id, queue_id, next_attempt_at, id limit :limit) pending`,
    { wall, limit },
  );
  const [unsent] = await db.anywhere<{ due: number }>(
    'select coalesce(sum(total - sent), 0) as due from (select total, sent from unsent_webhook_deliveries limit :limit) u',
    { limit },
  );
  const [events] = await db.anywhere<{ count: number }>(
    'select count(*) from (select 1 from event_outbox limit :limit) events',
    { limit },
  );
  return {
    oldestDueAt: oldest!.due_at,
    ...deliveries!,
    due: Math.min(deliveries!.due + unsent!.due, limit),
    events: events!.count,
  };
}
