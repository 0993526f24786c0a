import { findMerchant } from '../db/merchants.ts';
import { claimOpenOperations, slotsWithOpenOperations } from '../db/open-operations.ts';
import { findOperation, type PaymentOperation } from '../db/payment-operations.ts';
import type { MerchantScope } from '../domain/scope.ts';
import { recordClockStep } from './clock-steps.ts';
import type { Deps } from './deps.ts';
import { stillThere } from './refusal.ts';
import { OPERATION_GRACE_MS, resumeOperation } from './run-operation.ts';

/** Operations looked at in one round of one slot. */
const BATCH = 20;
/** How long one round keeps other workers off what it took: longer than asking the acquirer takes. */
const LEASE_MS = 15_000;
/** By then a request has given its call to the acquirer up, and has only to write that it did. */
const CALL_OVER_MS = 10_000;

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

/**
 * The same for one merchant and now, for a clock that is about to move: also what is to be looked at soon, but
 * nothing that a request is still asking about. Resolves to how many it settled.
 */
export async function reconcileOperationsOf(deps: Deps, scope: MerchantScope): Promise<number> {
  const wall_ms = deps.wall().getTime();
  const claimed = await claimOpenOperations(deps.db, scope.slot, {
    merchantId: scope.merchantId,
    until: new Date(wall_ms + OPERATION_GRACE_MS - CALL_OVER_MS),
    leasedUntil: new Date(wall_ms + LEASE_MS),
    limit: BATCH,
  });
  const settled = await Promise.all(claimed.map(({ operation }) => settleOne(deps, scope, operation)));
  return settled.filter(Boolean).length;
}

/**
 * Whether this settled it. One that fails is left to its lease, and does not keep the others from being settled.
 */
async function settleOne(deps: Deps, scope: MerchantScope, operation: PaymentOperation): Promise<boolean> {
  try {
    const merchant = await findMerchant(deps.db, scope);
    if (merchant === undefined) return false;
    return await resumeOperation(deps, merchant, operation, async (tx, { id: objectId }) => {
      const { state } = stillThere(await findOperation(tx, merchant, operation.id));
      if (state === 'pending') return false;
      await recordClockStep(deps, tx, merchant, { step: `reconcile_${operation.kind}`, objectId });
      return true;
    });
  } catch (error) {
    deps.log.error(
      { operation_id: operation.id, merchant_id: scope.merchantId, err: error },
      'reconciling failed',
    );
    return false;
  }
}
