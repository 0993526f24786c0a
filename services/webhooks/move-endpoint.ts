import type { Queryable } from '../../db/engine/database.ts';
import { moveEndpointRow } from '../../db/webhooks/move-endpoint-row.ts';
import { wakeQueues } from '../../db/webhooks/queues.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { Actor } from '../../domain/state-machine.ts';
import { type EndpointMove, endpointMachine } from '../../domain/webhooks/endpoint-moves.ts';

export interface EndpointChange {
  readonly id: string;
  readonly move: EndpointMove;
  readonly by: Actor;
  /** Set if the service disables it. */
  readonly disabledReason: string | null;
  /** If given, the endpoint is moved only if it has failed since then: it may have been enabled again. */
  readonly failingSince?: Date | undefined;
  /** Wall time. */
  readonly at: Date;
}

/**
 * Moves an endpoint. Its status changes nowhere else. The queue of a disabled endpoint becomes due, so that its pending
 * deliveries fail now. Returns false if the endpoint was deleted or does not allow the move, or if
 * `failingSince` is another time.
 */
export async function moveEndpoint(
  q: Queryable,
  scope: MerchantScope,
  { move, by, ...change }: EndpointChange,
): Promise<boolean> {
  const rowMove = endpointMachine.rowMove(move, by);
  const isMoved = await moveEndpointRow(q, scope, { ...rowMove, ...change });
  if (isMoved && rowMove.to === 'disabled') await wakeQueues(q, scope, [change.id], change.at);
  return isMoved;
}
