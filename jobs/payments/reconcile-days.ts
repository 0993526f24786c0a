import { usedSlots } from '../../db/merchants/used-slots.ts';
import {
  claimUnreconciledDays,
  countUnreconciledOn,
  type UnreconciledDay,
} from '../../db/payments/reconciled-days.ts';
import { MINUTE_MS } from '../../domain/durations.ts';
import { lastCompleteDay, lastLateDay } from '../../domain/ledger/settlement-days.ts';
import type { Deps } from '../../services/deps.ts';
import { reconcileDayOfMerchant } from '../../services/payments/reconcile-day-of-merchant.ts';
import type { Work } from '../work-loop.ts';

/** Longer than three files take. A file that is not available is requested again after this time. */
const LEASE_MS = 30 * MINUTE_MS;
/** Files are large, and no request waits for them. */
const CONCURRENCY = 2;

/** Past days whose settlement files were not compared with the ledger yet, for each merchant. */
export function unreconciledDays(deps: Deps): Work<UnreconciledDay> {
  return {
    lease_ms: LEASE_MS,
    concurrency: CONCURRENCY,
    findSlots: () => usedSlots(deps.db),
    claim: (slot, claim) =>
      claimUnreconciledDays(deps.db, slot, { ...claim, until: lastCompleteDay(claim.wall) }),
    run: (unreconciled) => reconcileDayOfMerchant(deps, unreconciled),
    failure: ({ day }) => ({ message: 'reconciling a day failed', fields: { day } }),
  };
}

/** Reports to the metrics how many merchants are behind with the comparison. */
export async function measureLateReconciliation(
  deps: Pick<Deps, 'db' | 'wall' | 'setMerchantsBehind'>,
): Promise<void> {
  deps.setMerchantsBehind(await countUnreconciledOn(deps.db, lastLateDay(deps.wall())));
}
