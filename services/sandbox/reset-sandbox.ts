import { findClock, lockClock } from '../../db/clock/merchant-clocks.ts';
import { type DeletedRows, deleteMerchantData } from '../../db/merchants/merchant-data.ts';
import { clearFailures } from '../../db/webhooks/endpoint-faults.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import { callSandbox } from '../call-sandbox.ts';
import { clockAdvancing } from '../clock/advance-clock.ts';
import type { Deps, Finish } from '../deps.ts';

export interface DeletedData extends DeletedRows {
  readonly scripts: number;
}

/**
 * Deletes all data of the merchant except its account, keys and webhook endpoints, here and at the simulated acquirer,
 * removes the faults of the endpoints and the time since when they fail, and sets the merchant's clock to the current
 * time. The acquirer is reset first: if the process dies in between, the reset can be repeated. `id` is the id of the
 * request, whose idempotency key stays. Refusals: `clock_advancing`, `unavailable`.
 */
export async function resetSandbox<Answer>(
  deps: Deps,
  merchant: Merchant,
  { id }: { readonly id: string },
  finish: Finish<DeletedData, Answer>,
): Promise<Answer> {
  const clock = await findClock(deps.db, merchant);
  if ((clock?.target ?? null) !== null) throw clockAdvancing();
  const { scripts } = await callSandbox(deps, async (sandbox) => {
    await sandbox.setClock(merchant.merchantId, 0);
    return sandbox.reset(merchant.merchantId);
  });
  return deps.db.transaction(merchant, async (tx) => {
    if ((await lockClock(tx, merchant)).target !== null) throw clockAdvancing();
    await clearFailures(tx, merchant, deps.wall());
    const rows = await deleteMerchantData(tx, merchant, { tables: deps.merchantTables, requestId: id });
    return finish(tx, { ...rows, scripts });
  });
}
