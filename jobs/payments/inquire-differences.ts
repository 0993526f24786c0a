import {
  claimDifferencesToInquire,
  type DifferenceToInquire,
  slotsWithDifferencesToInquire,
} from '../../db/payments/differences-to-inquire.ts';
import { MINUTE_MS } from '../../domain/durations.ts';
import type { Deps } from '../../services/deps.ts';
import { inquireDifference } from '../../services/payments/inquire-difference.ts';
import type { Work } from '../work-loop.ts';

/** Longer than an inquiry takes. Without an answer, the acquirer is asked again after this time. */
const LEASE_MS = 10 * MINUTE_MS;
/** A wrong file can have many such lines, and no request waits for them. */
const CONCURRENCY = 4;

/** Settlement lines that the ledger does not have, about whose payments the acquirer is to be asked. */
export function differencesToInquire(deps: Deps): Work<DifferenceToInquire> {
  return {
    lease_ms: LEASE_MS,
    concurrency: CONCURRENCY,
    findSlots: (wall) => slotsWithDifferencesToInquire(deps.db, wall),
    claim: (slot, claim) => claimDifferencesToInquire(deps.db, slot, claim),
    run: (difference) => inquireDifference(deps, difference),
    failure: ({ id }) => ({
      message: 'inquiring about a settlement line failed',
      fields: { discrepancy_id: id },
    }),
  };
}
