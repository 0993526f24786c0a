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
  /** Set where the service disables it. */
  readonly disabledReason: string | null;
  /** Wall time. */
  readonly at: Date;
}

/**
 * Moves an endpoint. The only way in which its status changes. The queue of a disabled one is woken, so that what is pending
 * there fails now. Returns false when the endpoint is gone or does not allow the move.
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
