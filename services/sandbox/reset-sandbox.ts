import { randomUUID } from 'node:crypto';
import { findAdvance } from '../../db/clock/clock-advances.ts';
import {
  type ClockLease,
  endClockAdvance,
  lockClock,
  releaseClock,
  startClockAdvance,
  takeOverClock,
} from '../../db/clock/merchant-clocks.ts';
import { type DeletedRows, deleteMerchantData } from '../../db/merchants/merchant-data.ts';
import { clearFailures } from '../../db/webhooks/endpoint-faults.ts';
import { type Merchant, merchantNow } from '../../domain/merchants/merchant.ts';
import { callSandbox } from '../call-sandbox.ts';
import { clockAdvancing } from '../clock/advance-clock.ts';
import { CLOCK_LEASE_MS } from '../clock/run-clock.ts';
import type { Deps, Finish, TransactionContext } from '../deps.ts';
import { Refusal } from '../refusal.ts';

export interface DeletedData extends DeletedRows {
  readonly scripts: number;
}

/**
 * Deletes all data of the merchant except its account, keys and webhook endpoints, here and at the simulated acquirer,
 * removes the faults of the endpoints and the time since when they fail, and sets the merchant's clock to the current
 * time. The acquirer is reset first: if the process dies in between, the reset can be repeated. No advance begins
 * meanwhile. `id` is the id of the request, whose idempotency key stays. Refusals: `clock_advancing`, with which
 * nothing has changed, and `unavailable`.
 */
export async function resetSandbox<Answer>(
  deps: Deps,
  merchant: Merchant,
  { id }: { readonly id: string },
  finish: Finish<DeletedData, Answer>,
): Promise<Answer> {
  const leaseId = randomUUID();
  await deps.db.transaction(merchant, (tx) => holdClock({ deps, tx, merchant }, id, leaseId));
  try {
    const { scripts } = await callSandbox(deps, async (sandbox) => {
      await sandbox.setClock(merchant.merchantId, 0);
      return sandbox.reset(merchant.merchantId);
    });
    return await deps.db.transaction(merchant, async (tx) => {
      if (!(await endClockAdvance(tx, merchant, { leaseId, offset_ms: 0 }))) throw tookTooLong();
      await clearFailures(tx, merchant, deps.wall());
      const rows = await deleteMerchantData(tx, merchant, { tables: deps.merchantTables, requestId: id });
      return finish(tx, { ...rows, scripts });
    });
  } catch (error) {
    await releaseClock(deps.db, merchant, { leaseId, at: deps.wall() }).catch(() => {});
    throw error;
  }
}

/**
 * Holds the clock at its present time, as an advance does whose target is that time, and which has no row of its own.
 * If the process dies, the job of abandoned advances sets the acquirer's clock to ours again and lets both run on.
 */
async function holdClock(
  { deps, tx, merchant }: TransactionContext,
  id: string,
  leaseId: string,
): Promise<void> {
  const wall = deps.wall();
  const lease: ClockLease = { leaseId, leasedUntil: new Date(wall.getTime() + CLOCK_LEASE_MS) };
  const clock = await lockClock(tx, merchant);
  if (clock.target === null) {
    const at = merchantNow(clock, wall);
    await startClockAdvance(tx, merchant, { ...lease, advanceId: id, pinnedAt: at, target: at });
    return;
  }
  // An earlier reset that failed or died may have left the clock so.
  const isAdvance = (await findAdvance(tx, merchant, clock.advanceId!)) !== undefined;
  if (isAdvance || (await takeOverClock(tx, merchant, { ...lease, wall })) === undefined) {
    throw clockAdvancing();
  }
}

/** The lease has expired and another process lets the clock run. */
function tookTooLong(): Refusal {
  return new Refusal('unavailable', {
    message: 'The reset took too long. Try again shortly.',
    retryAfter_s: 1,
  });
}
