import { summedTransfers } from '../../db/ledger/summed-transfers.ts';
import { insertDiscrepancy } from '../../db/payments/discrepancies.ts';
import { refundsOfPayments } from '../../db/payments/refunds.ts';
import { addDays } from '../../domain/business-days.ts';
import { uuidV7 } from '../../domain/identifiers.ts';
import {
  compareSettlement,
  type SettlementDifference,
  type SettlementLine,
} from '../../domain/ledger/settlement.ts';
import { settlementPostings } from '../../domain/ledger/settlement-postings.ts';
import { endOfMerchantDay, startOfMerchantDay } from '../../domain/local-time.ts';
import type { Discrepancy } from '../../domain/payments/discrepancy.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { Deps } from '../deps.ts';

/** The settlement files of a merchant around one day (`YYYY-MM-DD`, São Paulo). */
export interface DayToReconcile {
  readonly day: string;
  readonly lines: readonly SettlementLine[];
  readonly before: readonly SettlementLine[];
  readonly after: readonly SettlementLine[];
}

/** A difference and its discrepancy; undefined if an earlier run has written it. */
export type RecordedDifference = SettlementDifference & { readonly discrepancy: Discrepancy | undefined };

/**
 * Compares the acquirer's settlement file of a day with the ledger, and writes each difference as a discrepancy. A
 * second run writes nothing more. The ledger does not change.
 */
export async function reconcileDay(
  deps: Pick<Deps, 'db' | 'wall' | 'random'>,
  merchant: MerchantScope,
  files: DayToReconcile,
): Promise<RecordedDifference[]> {
  const { day, lines } = files;
  const sums = await summedTransfers(deps.db, merchant, {
    from: startOfMerchantDay(addDays(day, -1)),
    before: endOfMerchantDay(addDays(day, 1)),
    references: lines.map(({ reference }) => reference),
  });
  const all = await refundsOfPayments(deps.db, merchant, [
    ...new Set(sums.map(({ paymentId }) => paymentId)),
  ]);
  const refunds = Map.groupBy(
    all.filter(({ status }) => status === 'in_progress'),
    ({ paymentId }) => paymentId,
  );
  const postings = settlementPostings(sums).map((posting) => ({
    ...posting,
    openRefunds_centavos: refunds.get(posting.paymentId)?.map(({ amount_centavos }) => amount_centavos),
  }));
  const differences = compareSettlement({ ...files, postings });
  if (differences.length === 0) return [];
  return deps.db.transaction(merchant, async (tx) => {
    const recorded: RecordedDifference[] = [];
    for (const difference of differences) {
      const discrepancy = await insertDiscrepancy(tx, merchant, discrepancyOf(deps, day, difference));
      recorded.push({ ...difference, discrepancy });
    }
    return recorded;
  });
}

function discrepancyOf(deps: Pick<Deps, 'wall' | 'random'>, day: string, difference: SettlementDifference) {
  const { reason, type, reference, reported_centavos, recorded_centavos, paymentId } = difference;
  const createdAt = deps.wall();
  return {
    id: uuidV7(createdAt.getTime(), deps.random),
    source: 'settlement_file' as const,
    reason,
    paymentId,
    operationId: null,
    reference,
    reportKey: `settlement:${day}:${type}:${reference}:${reason}`,
    reported: { report: `settlement_file.${type}`, day, amount_centavos: reported_centavos },
    recorded: { entry: type, amount_centavos: recorded_centavos },
    createdAt,
  };
}
