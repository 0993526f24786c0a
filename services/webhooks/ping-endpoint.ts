import type { Tx } from '../../db/engine/database.ts';
import { findDelivery, insertDeliveries } from '../../db/webhooks/deliveries.ts';
import { wakeQueues } from '../../db/webhooks/queues.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import { type Delivery, PING } from '../../domain/webhooks/delivery.ts';
import type { Endpoint } from '../../domain/webhooks/endpoint.ts';
import type { Deps, Finish } from '../deps.ts';
import { notInThisState } from '../refusal.ts';
import { lockEndpoint } from './find-endpoint.ts';

/**
 * Queues a delivery of `ping`, with the id `deliveryId`. Refusals: `not_found`; `wrong_state` for a disabled endpoint.
 */
export async function pingEndpoint<Answer>(
  deps: Deps,
  merchant: Merchant,
  { endpointId, deliveryId }: { readonly endpointId: string; readonly deliveryId: string },
  finish: Finish<Delivery, Answer>,
): Promise<Answer> {
  return deps.db.transaction(merchant, async (tx) => {
    const endpoint = await lockEndpoint(tx, merchant, endpointId);
    assertActive(endpoint);
    const ping = { id: deliveryId, queueId: endpoint.id, endpointId: endpoint.id, url: endpoint.url };
    const at = deps.wall();
    await insertDeliveries(tx, merchant, [{ ...ping, event: PING, eventId: null }], at);
    await wakeQueues(tx, merchant, [endpoint.id], at);
    return finish(tx, await written(tx, merchant, deliveryId));
  });
}

/** Refuses an endpoint that is not active. */
export function assertActive({ status }: Pick<Endpoint, 'status'>): void {
  if (status !== 'active') throw notInThisState('The endpoint is disabled. Enable it first.');
}

async function written(tx: Tx, merchant: Merchant, id: string): Promise<Delivery> {
  const delivery = await findDelivery(tx, merchant, id);
  if (delivery === undefined) throw new Error('A delivery was added, and is not there.');
  return delivery;
}
