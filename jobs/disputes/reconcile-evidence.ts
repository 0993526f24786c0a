import {
  claimOpenEvidence,
  type OpenEvidence,
  slotsWithOpenEvidence,
} from '../../db/disputes/open-evidence.ts';
import type { Deps } from '../../services/deps.ts';
import { reconcileEvidence } from '../../services/disputes/reconcile-evidence.ts';
import { RECONCILE_LEASE_MS } from '../../services/payments/reconcile-before-advance.ts';
import type { Work } from '../work-loop.ts';

/** Evidence whose outcome is unknown after a timeout or the death of a process. */
export function openEvidence(deps: Deps): Work<OpenEvidence> {
  return {
    lease_ms: RECONCILE_LEASE_MS,
    findSlots: (wall) => slotsWithOpenEvidence(deps.db, wall),
    claim: (slot, { wall, ...claim }) =>
      claimOpenEvidence(deps.db, slot, { ...claim, until: wall, isAdvance: false }),
    run: (open) => reconcileEvidence(deps, open),
    failure: ({ evidence }) => ({ message: 'reconciling failed', fields: { evidence_id: evidence.id } }),
  };
}
