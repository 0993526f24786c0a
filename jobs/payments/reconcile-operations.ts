import {
  claimOpenOperations,
  type OpenOperation,
  slotsWithOpenOperations,
} from '../../db/payments/open-operations.ts';
import type { Deps } from '../../services/deps.ts';
import { RECONCILE_LEASE_MS, reconcileOperation } from '../../services/payments/reconcile-operations.ts';
import { type Work, WorkLoop } from '../work-loop.ts';

/** Operations whose outcome a time-out or a death left unknown. */
export function openOperations(deps: Deps): Work<OpenOperation> {
  return {
    lease_ms: RECONCILE_LEASE_MS,
    findSlots: (wall) => slotsWithOpenOperations(deps.db, wall),
    claim: (slot, { wall, ...claim }) => claimOpenOperations(deps.db, slot, { ...claim, until: wall }),
    run: async (open) => (await reconcileOperation(deps, open)) !== 'no answer',
    failure: ({ operation }) => ({
      message: 'reconciling failed',
      fields: { operation_id: operation.id },
    }),
  };
}

/** Reconciles all that is due now. Returns how many operations it looked at. */
export async function reconcileOperations(deps: Deps): Promise<number> {
  return (await new WorkLoop(deps, openOperations(deps)).runToEnd()).claimed;
}
