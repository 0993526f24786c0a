import type { MerchantScope } from '../../domain/scope.ts';
import type { DeliveryQueue } from '../../domain/webhooks/delivery.ts';
import type { Database, Queryable } from '../engine/database.ts';

/** A queue that this process works on until its lease ends. */
export interface LeasedQueue extends DeliveryQueue {
  readonly leaseId: string;
}

/** Queues of receivers that fail. */
export interface FailingQueues {
  readonly ids: readonly string[];
  /** When a pause ends that begins now. */
  readonly pauseEnd: Date;
}

/**
 * Makes queues due at `dueAt` (wall time), unless they are due earlier. One that fails keeps its time if that is before
 * `pauseEnd`; while it is leased, it is due at `pauseEnd`, unless it was woken before. Inserts those that are missing.
 * Call it in the transaction that makes deliveries pending, so that the end of a lease does not overlook them.
 */
export async function wakeQueues(
  q: Queryable,
  scope: MerchantScope,
  queueIds: readonly string[],
  dueAt: Date,
  failing: FailingQueues = { ids: [], pauseEnd: dueAt },
): Promise<void> {
  if (queueIds.length === 0) return;
  // Sorted, so that two writers cannot deadlock.
  await q.execute(
    scope,
    `insert into webhook_queues (slot, merchant_id, id, due_at)
     select :slot, :merchant_id, id, :due_at from unnest(cast(:ids as uuid[])) id order by id
     on conflict (slot, merchant_id, id)
     do update set woken = true, due_at = case
       when webhook_queues.id <> all(cast(:failing_ids as uuid[])) or webhook_queues.due_at > :pause_end
         then least(webhook_queues.due_at, excluded.due_at)
       when webhook_queues.leased_until is not null and not webhook_queues.woken then :pause_end
       else webhook_queues.due_at end`,
    { ids: [...new Set(queueIds)], due_at: dueAt, failing_ids: failing.ids, pause_end: failing.pauseEnd },
  );
}

/** Slots with queues that are due at `wall` and not leased. */
export async function slotsWithDueQueues(db: Database, wall: Date): Promise<number[]> {
  const rows = await db.anywhere<{ slot: number }>(
    'select distinct slot from webhook_queues where greatest(due_at, leased_until) <= :wall',
    { wall },
  );
  return rows.map(({ slot }) => slot);
}

/** Takes a lease on due queues of a slot, the longest due first. */
export async function leaseDueQueues(
  db: Database,
  slot: number,
  claim: {
    readonly limit: number;
    /** Queues that were due then and are not leased. */
    readonly dueBy: Date;
    readonly leasedUntil: Date;
    readonly leaseId: string;
    /** Queues that are left out. */
    readonly exceptQueues: readonly string[];
    /** Merchants whose queues of notification URLs are left out. */
    readonly exceptNotificationsOf: readonly string[];
  },
): Promise<LeasedQueue[]> {
  const { limit, dueBy, leasedUntil, leaseId, exceptQueues, exceptNotificationsOf } = claim;
  const rows = await db.slotRows<{ merchant_id: string; id: string }>(
    slot,
    `with due as materialized (
       select q.slot, q.merchant_id, q.id from webhook_queues q
        where {slot:q} and greatest(due_at, leased_until) <= :due_by and q.id <> all(cast(:except_queues as uuid[]))
          and (q.merchant_id <> all(cast(:except_notifications_of as uuid[])) or exists (
            select from webhook_endpoints e where {slot:e} and e.merchant_id = q.merchant_id and e.id = q.id))
        order by greatest(due_at, leased_until) limit :limit for update skip locked)
     update webhook_queues w set woken = false, leased_until = :leased_until, lease_id = :lease_id
       from due where {slot:w} and w.merchant_id = due.merchant_id and w.id = due.id
     returning w.merchant_id, w.id`,
    {
      limit,
      due_by: dueBy,
      leased_until: leasedUntil,
      lease_id: leaseId,
      except_queues: exceptQueues,
      except_notifications_of: exceptNotificationsOf,
    },
  );
  return rows.map(({ merchant_id, id }) => ({ slot, merchantId: merchant_id, queueId: id, leaseId }));
}

/** The end of a lease. */
export interface Release {
  readonly queue: LeasedQueue;
  /** When the queue is due for the pending deliveries that this process saw; null if there were none. */
  readonly nextDueAt: Date | null;
}

/**
 * The rest of a statement that has written results, as the expression `moved`. Ends a lease. If another process has
 * taken one since then, it may not have seen these results, so the queue is woken, or inserted again, instead. A queue
 * without deliveries is deleted. A delivery that was added since the lease began has woken the queue, so it is not
 * overlooked, even if the lease had already ended. The queue is read under a lock, because a delivery can be added at
 * the same time, and after `moved`, because all writers lock deliveries before their queue.
 */
export const RELEASE = `
  held as materialized (
    select due_at, woken from webhook_queues
     where {scope} and id = :queue_id and lease_id = :lease_id and (select count(*) from moved) >= 0
       for update),
  lost as (
    insert into webhook_queues (slot, merchant_id, id, due_at, woken)
    select :slot, :merchant_id, :queue_id, :next_due_at, true
     where cast(:next_due_at as timestamptz) is not null and not exists (select from held)
    on conflict (slot, merchant_id, id)
    do update set due_at = least(webhook_queues.due_at, excluded.due_at), woken = true),
  emptied as (
    delete from webhook_queues w using held
     where {scope:w} and w.id = :queue_id and cast(:next_due_at as timestamptz) is null and not held.woken)
  update webhook_queues w
     set leased_until = null, lease_id = null,
         due_at = case when held.woken then least(held.due_at, :next_due_at) else :next_due_at end
    from held
   where {scope:w} and w.id = :queue_id and (cast(:next_due_at as timestamptz) is not null or held.woken)`;

export function releaseParams({ queue: { queueId, leaseId }, nextDueAt }: Release) {
  return { queue_id: queueId, lease_id: leaseId, next_due_at: nextDueAt };
}
