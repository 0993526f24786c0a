import {
  claimOpenOperations,
  type OpenOperation,
  slotsWithOpenOperations,
} from '../../db/payments/open-operations.ts';
import type { Deps } from '../../services/deps.ts';
import { RECONCILE_LEASE_MS } from '../../services/payments/reconcile-before-advance.ts';
import { reconcileOperation } from '../../services/payments/reconcile-operations.ts';
import type { Work } from '../work-loop.ts';

/** Operations whose outcome is unknown after a timeout or the death of a process. */
export function openOperations(deps: Deps): Work<OpenOperation> {
  return {
    lease_ms: RECONCILE_LEASE_MS,
    findSlots: (wall) => slotsWithOpenOperations(deps.db, wall),
    claim: (slot, { wall, ...claim }) =>
      claimOpenOperations(deps.db, slot, { ...claim, until: wall, isAdvance: false }),
    run: async (open) => (await reconcileOperation(deps, open)) !== 'no answer',
    failure: ({ operation }) => ({
      message: 'reconciling failed',
      fields: { operation_id: operation.id },
    }),
  };
}
