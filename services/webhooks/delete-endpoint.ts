import { deleteEndpoint as deleteEndpointRow } from '../../db/webhooks/endpoints.ts';
import { wakeQueues } from '../../db/webhooks/queues.ts';
import { isCanonicalUuid, normalizeUuid } from '../../domain/identifiers.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { Deps, Finish } from '../deps.ts';
import { notFound } from '../refusal.ts';

/** Deletes an endpoint. Its queue becomes due, so that its pending deliveries fail now. Refusal: `not_found`. */
export async function deleteEndpoint<Answer>(
  deps: Deps,
  merchant: Merchant,
  id: string,
  finish: Finish<void, Answer>,
): Promise<Answer> {
  return deps.db.transaction(merchant, async (tx) => {
    const endpointId = normalizeUuid(id);
    if (!isCanonicalUuid(id) || !(await deleteEndpointRow(tx, merchant, endpointId))) {
      throw notFound('Webhook endpoint');
    }
    await wakeQueues(tx, merchant, [endpointId], deps.wall());
    return finish(tx, undefined);
  });
}
