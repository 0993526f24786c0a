import { lockDelivery } from '../../db/webhooks/deliveries.ts';
import { findEndpoint } from '../../db/webhooks/endpoints.ts';
import { wakeQueues } from '../../db/webhooks/queues.ts';
import { isCanonicalUuid, normalizeUuid } from '../../domain/identifiers.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { Delivery } from '../../domain/webhooks/delivery.ts';
import type { Deps, Finish } from '../deps.ts';
import { notFound, notInThisState } from '../refusal.ts';
import { moveDeliveries } from './move-delivery.ts';
import { assertActive } from './ping-endpoint.ts';

/**
 * Makes a delivery pending again, due now, with its schedule from the beginning. Refusals: `not_found`; `wrong_state`
 * if its endpoint is disabled or was deleted.
 */
export async function redeliver<Answer>(
  deps: Deps,
  merchant: Merchant,
  id: string,
  finish: Finish<Delivery, Answer>,
): Promise<Answer> {
  return deps.db.transaction(merchant, async (tx) => {
    const delivery = isCanonicalUuid(id) ? await lockDelivery(tx, merchant, normalizeUuid(id)) : undefined;
    if (delivery === undefined) throw notFound('Webhook delivery');
    const { endpointId, queueId } = delivery;
    if (endpointId !== null) {
      const endpoint = await findEndpoint(tx, merchant, endpointId);
      if (endpoint === undefined) throw notInThisState('The endpoint was deleted.');
      assertActive(endpoint);
    }
    const at = deps.wall();
    const patch = { nextAttemptAt: at, scheduleStep: 0 };
    const [moved] = await moveDeliveries(tx, merchant, [{ delivery, move: 'redeliver', patch }], 'merchant');
    await wakeQueues(tx, merchant, [queueId], at);
    return finish(tx, moved!);
  });
}
