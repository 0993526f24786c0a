import { usedSlots } from '../../db/merchants/used-slots.ts';
import { claimUnreconciledDays, type UnreconciledDay } from '../../db/payments/reconciled-days.ts';
import { addDays } from '../../domain/business-days.ts';
import { MINUTE_MS } from '../../domain/durations.ts';
import { merchantDay, startOfMerchantDay } from '../../domain/local-time.ts';
import type { Deps } from '../../services/deps.ts';
import { reconcileDayOfMerchant } from '../../services/payments/reconcile-day-of-merchant.ts';
import { type Work, WorkLoop } from '../work-loop.ts';

/** The acquirer has the files of a day at this time of the next day, São Paulo. */
const FILE_COMPLETE_AFTER_MS = 6 * 60 * MINUTE_MS;
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

/** The last day whose settlement file is complete at `wall`. */
function lastCompleteDay(wall: Date): string {
  const today = merchantDay(wall);
  const isComplete = wall.getTime() >= startOfMerchantDay(today).getTime() + FILE_COMPLETE_AFTER_MS;
  return addDays(today, isComplete ? -1 : -2);
}

/** Compares all days that are due. Returns how many. */
export async function reconcileDays(deps: Deps): Promise<number> {
  return (await new WorkLoop(deps, unreconciledDays(deps)).runToEnd()).done;
}
