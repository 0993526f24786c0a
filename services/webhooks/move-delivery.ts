import type { Queryable } from '../../db/engine/database.ts';
import {
  type DeliveryRowMoves,
  dropDeliveryRows,
  moveDeliveryRows,
} from '../../db/webhooks/move-delivery-rows.ts';
import type { Release } from '../../db/webhooks/queues.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { Actor } from '../../domain/state-machine.ts';
import type { Delivery, DeliveryError } from '../../domain/webhooks/delivery.ts';
import { type DeliveryMove, deliveryMachine } from '../../domain/webhooks/delivery-moves.ts';

/** A delivery as it was read, its move, and the fields that change with it. */
export interface DeliveryChange {
  readonly delivery: Delivery;
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

/** The same for the last attempts of a run, whose statement also ends the lease on the queue. */
export async function moveDeliveriesAndRelease(
  q: Queryable,
  changes: readonly DeliveryChange[],
  release: Release,
): Promise<void> {
  await moveDeliveryRows(q, release.queue, rowMoves(changes, 'clock'), release);
}

function rowMoves(changes: readonly DeliveryChange[], by: Actor): DeliveryRowMoves {
  return {
    from: [...new Set(changes.map(({ delivery }) => delivery.status))],
    moved: changes.map((change) => ({
      readStep: change.delivery.scheduleStep,
      delivery: after(change, by),
    })),
  };
}

/** Fails up to `limit` pending deliveries of a queue whose endpoint no longer accepts any. Returns how many. */
export function dropDeliveries(
  q: Queryable,
  scope: MerchantScope,
  queueId: string,
  { error, limit }: { readonly error: DeliveryError; readonly limit: number },
): Promise<number> {
  return dropDeliveryRows(q, scope, queueId, { ...deliveryMachine.rowMove('drop', 'clock'), error, limit });
}
