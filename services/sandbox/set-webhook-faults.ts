import { setFaults } from '../../db/webhooks/endpoint-faults.ts';
import { wakeQueues } from '../../db/webhooks/queues.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import { type Faults, hasFaults } from '../../domain/webhooks/faults.ts';
import type { Deps, Finish } from '../deps.ts';
import { lockEndpoint } from '../webhooks/find-endpoint.ts';

/** Replaces the faults of an endpoint. Refusal: `not_found`. */
export async function setWebhookFaults<Answer>(
  deps: Deps,
  merchant: Merchant,
  { id, faults }: { readonly id: string; readonly faults: Faults },
  finish: Finish<Faults, Answer>,
): Promise<Answer> {
  return deps.db.transaction(merchant, async (tx) => {
    const endpoint = await lockEndpoint(tx, merchant, id);
    const at = deps.wall();
    await setFaults(tx, merchant, { id: endpoint.id, faults: hasFaults(faults) ? faults : null, at });
    // A delivery that the old faults hold back may be due now.
    await wakeQueues(tx, merchant, [endpoint.id], at);
    return finish(tx, faults);
  });
}
