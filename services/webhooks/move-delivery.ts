import type { Database, Queryable, Tx } from '../../db/engine/database.ts';
import { lockEndpoint } from '../../db/webhooks/endpoints.ts';
import { type FirstResult, insertFirstResults } from '../../db/webhooks/first-results.ts';
import {
  type DeliveryRowMoves,
  dropDeliveryRows,
  moveDeliveryRows,
} from '../../db/webhooks/move-delivery-rows.ts';
import type { PendingDelivery } from '../../db/webhooks/queue-contents.ts';
import type { LeasedQueue, Release } from '../../db/webhooks/queues.ts';
import { dropUnsentDeliveries } from '../../db/webhooks/unsent-deliveries.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { Actor } from '../../domain/state-machine.ts';
import type { Delivery, DeliveryError, DeliveryQueue } from '../../domain/webhooks/delivery.ts';
import { type DeliveryMove, deliveryMachine } from '../../domain/webhooks/delivery-moves.ts';

/** A delivery as it was read, its move, and the fields that change with it. */
export interface DeliveryChange {
  readonly delivery: PendingDelivery;
  readonly move: DeliveryMove;
  readonly patch: Partial<Omit<Delivery, 'id' | 'status'>>;
}

/** The delivery after a move. Throws when the table of moves does not allow it. */
function after({ delivery, move, patch }: DeliveryChange, by: Actor): Delivery {
  return { ...delivery, ...patch, status: deliveryMachine.next(move, delivery.status, { by }) };
}

/**
 * Moves deliveries in one statement. Their status changes nowhere else. A delivery that another process has moved since
 * it was read does not change. Returns the deliveries after their moves.
 */
export async function moveDeliveries(
  q: Queryable,
  scope: MerchantScope,
  changes: readonly DeliveryChange[],
  by: Actor,
): Promise<Delivery[]> {
  if (changes.length === 0) return [];
  const moves = rowMoves(changes, by);
  await moveDeliveryRows(q, scope, moves);
  return moves.moved.map(({ delivery }) => delivery);
}

/**
 * Writes the results of attempts. A delivery that had none before gets its row. If `release` is given, the last
 * statement also ends the lease on the queue.
 */
export async function writeResults(
  q: Queryable,
  queue: LeasedQueue,
  changes: readonly DeliveryChange[],
  release?: Release,
): Promise<void> {
  const first: FirstResult[] = [];
  const others: DeliveryChange[] = [];
  for (const change of changes) {
    const { unsent } = change.delivery;
    if (unsent === undefined) others.push(change);
    else first.push({ delivery: after(change, 'clock'), unsent });
  }
  const hasFirst = first.length > 0;
  if (others.length > 0 || (!hasFirst && release !== undefined)) {
    await moveDeliveryRows(q, queue, rowMoves(others, 'clock'), hasFirst ? undefined : release);
  }
  if (hasFirst) await insertFirstResults(q, queue, { queueId: queue.queueId, results: first }, release);
}

function rowMoves(changes: readonly DeliveryChange[], by: Actor): DeliveryRowMoves {
  return {
    from: [...new Set(changes.map(({ delivery }) => delivery.status))],
    moved: changes.map((change) => ({
      read: change.delivery,
      delivery: after(change, by),
    })),
  };
}

/** The maximum of deliveries, and of rows of unsent ones, that fail in one statement. */
const DROPPED_AT_ONCE = 1_000;
const UNSENT_DROPPED_AT_ONCE = 10;

/**
 * Fails the pending deliveries of a queue whose endpoint no longer accepts any. Returns false if the endpoint was
 * enabled meanwhile: what is still pending is to be sent. The endpoint is locked, so that it is not enabled, and gets
 * no deliveries, while some of them fail.
 */
export async function dropDeliveries(
  db: Database,
  { queueId, ...scope }: DeliveryQueue,
  error: DeliveryError,
): Promise<boolean> {
  const move = { ...deliveryMachine.rowMove('drop', 'clock'), error };
  const drops = [
    (tx: Tx) => dropDeliveryRows(tx, scope, queueId, { ...move, limit: DROPPED_AT_ONCE }),
    (tx: Tx) => dropUnsentDeliveries(tx, scope, queueId, { ...move, limit: UNSENT_DROPPED_AT_ONCE }),
  ];
  for (const drop of drops) {
    let dropped: number | null;
    do {
      dropped = await db.transaction(scope, async (tx) => {
        const endpoint = await lockEndpoint(tx, scope, queueId);
        return endpoint?.status === 'active' ? null : drop(tx);
      });
      if (dropped === null) return false;
    } while (dropped > 0);
  }
  return true;
}
