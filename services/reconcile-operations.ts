import { findMerchant } from '../db/merchants.ts';
import {
  claimOpenOperations,
  type PaymentOperation,
  slotsWithOpenOperations,
} from '../db/payment-operations.ts';
import type { MerchantScope } from '../domain/scope.ts';
import { type Deps, keep } from './deps.ts';
import { resumeOperation } from './run-operation.ts';

/** Operations looked at in one round of one slot. */
const BATCH = 20;
/** How long one round keeps other workers off what it took: longer than asking the acquirer takes. */
const LEASE_MS = 15_000;

/**
 * Settles what a time-out or a death left open: asks the acquirer, by our reference, what became of each operation
 * that nobody is working on. Resolves to how many it looked at.
 */
export async function reconcileOperations(deps: Deps): Promise<number> {
  let looked = 0;
  for (const slot of await slotsWithOpenOperations(deps.db, deps.wall())) {
    const until = deps.wall();
    const leasedUntil = new Date(until.getTime() + LEASE_MS);
    const claimed = await claimOpenOperations(deps.db, slot, { until, leasedUntil, limit: BATCH });
    await Promise.all(claimed.map(({ scope, operation }) => settleOne(deps, scope, operation)));
    looked += claimed.length;
  }
  return looked;
}

/** One that fails is left to its lease, and does not keep the others from being settled. */
async function settleOne(deps: Deps, scope: MerchantScope, operation: PaymentOperation): Promise<void> {
  try {
    const merchant = await findMerchant(deps.db, scope);
    if (merchant !== undefined) await resumeOperation(deps, merchant, operation, keep);
  } catch (error) {
    deps.log.error(
      { operation_id: operation.id, merchant_id: scope.merchantId, err: error },
      'reconciling failed',
    );
  }
}
