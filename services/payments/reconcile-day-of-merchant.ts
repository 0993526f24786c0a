import type { UnreconciledDay } from '../../db/payments/reconciled-days.ts';
import { addDays } from '../../domain/business-days.ts';
import type { SettlementLine } from '../../domain/ledger/settlement.ts';
import { lastLateDay } from '../../domain/ledger/settlement-days.ts';
import type { Deps } from '../deps.ts';
import { reconcileDay } from './reconcile-day.ts';
import { logDiscrepancy } from './record-discrepancy.ts';

/**
 * Compares the acquirer's settlement file of a past day with the ledger of a merchant, and logs and counts the result.
 * Returns false if the acquirer has no file of the day yet.
 */
export async function reconcileDayOfMerchant(
  deps: Deps,
  { day, ...merchant }: UnreconciledDay,
): Promise<boolean> {
  const { merchantId } = merchant;
  const file = await deps.settlementFiles.read(merchantId, day);
  if (file.kind === 'unavailable') {
    deps.countSettlementFile({ result: 'unavailable' });
    const fields = { merchant_id: merchantId, day, cause: file.cause };
    deps.log.warn(fields, 'a settlement file is not available');
    if (day <= lastLateDay(deps.wall())) {
      deps.log.error(fields, 'the comparison with the settlement files is more than 2 days behind');
    }
    return false;
  }
  const [before, after] = await Promise.all(
    [-1, 1].map((days) => linesOf(deps, merchantId, addDays(day, days))),
  );
  const differences = await reconcileDay(deps, merchant, {
    day,
    lines: file.lines,
    before: before!,
    after: after!,
  });
  for (const { discrepancy } of differences) logDiscrepancy(deps, discrepancy);
  deps.countSettlementFile({ result: differences.length === 0 ? 'agreed' : 'differed' });
  deps.log.info(
    { merchant_id: merchantId, day, lines: file.lines.length, differences: differences.length },
    'a settlement file was compared with the ledger',
  );
  return true;
}

/** The lines of a neighbouring day: those of movements around midnight. The file of the current day is not complete. */
async function linesOf(deps: Deps, merchantId: string, day: string): Promise<readonly SettlementLine[]> {
  const file = await deps.settlementFiles.read(merchantId, day);
  return file.kind === 'file' ? file.lines : [];
}
