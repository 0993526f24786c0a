import type { Tx } from '../../db/engine/database.ts';
import { inquireAgain } from '../../db/payments/differences-to-inquire.ts';
import { insertDiscrepancy, type NewDiscrepancy } from '../../db/payments/discrepancies.ts';
import { markDayReconciled } from '../../db/payments/reconciled-days.ts';
import { storedSettlementLines, storeSettlementLines } from '../../db/payments/settlement-lines.ts';
import { addDays } from '../../domain/business-days.ts';
import { uuidV7 } from '../../domain/identifiers.ts';
import {
  compareSettlement,
  differenceKey,
  type FiledLine,
  type SettlementDifference,
  type SettlementLine,
} from '../../domain/ledger/settlement.ts';
import { lastCompleteDay } from '../../domain/ledger/settlement-days.ts';
import { endOfMerchantDay, startOfMerchantDay } from '../../domain/local-time.ts';
import type { Discrepancy } from '../../domain/payments/discrepancy.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { Deps } from '../deps.ts';
import { closeAgreedGaps, postingsOf } from './settlement-gaps.ts';

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
 * Compares the acquirer's settlement file of a day with the ledger, and writes each difference as a discrepancy. Closes
 * earlier ones about lines or entries that were missing and have come. A second run writes nothing more, but has the
 * acquirer asked again about lines that the ledger still does not have. The ledger does not change. If the nightly
 * comparison of the merchant waits for this day, it continues with the next one.
 */
export async function reconcileDay(
  deps: Pick<Deps, 'db' | 'wall' | 'random'>,
  merchant: MerchantScope,
  files: DayToReconcile,
): Promise<RecordedDifference[]> {
  const { day, lines } = files;
  const postings = await postingsOf(deps.db, merchant, {
    from: startOfMerchantDay(addDays(day, -1)),
    before: endOfMerchantDay(addDays(day, 1)),
    references: lines.map(({ reference }) => reference),
  });
  // Nothing else can agree: that takes a line and a posting.
  const references = [...new Set([...lines, ...postings].map(({ reference }) => reference))];
  const stored = await storedSettlementLines(deps.db, merchant, references);
  const { differences, agrees } = compareSettlement({ day, lines: knownLines(files, stored), postings });
  return deps.db.transaction(merchant, async (tx) => {
    await storeSettlementLines(tx, merchant, day, lines);
    await closeAgreedGaps(tx, merchant, { agrees, references }, deps.wall());
    const recorded: RecordedDifference[] = [];
    for (const [key, equal] of Map.groupBy(differences, (difference) => differenceKey(day, difference))) {
      for (const [at, difference] of equal.entries()) {
        const found = discrepancyOf(deps, day, difference, at === 0 ? key : `${key}:${at + 1}`);
        recorded.push({ ...difference, discrepancy: await record(tx, merchant, found) });
      }
    }
    const wall = deps.wall();
    if (day <= lastCompleteDay(wall)) await markDayReconciled(tx, merchant, { day, wall });
    return recorded;
  });
}

/** Undefined if an earlier run has written it. */
async function record(
  tx: Tx,
  merchant: MerchantScope,
  found: NewDiscrepancy,
): Promise<Discrepancy | undefined> {
  const { reportKey, inquireAt } = found;
  const discrepancy = await insertDiscrepancy(tx, merchant, found);
  if (discrepancy === undefined && inquireAt) await inquireAgain(tx, merchant, reportKey, inquireAt);
  return discrepancy;
}

/** The lines of the given files, and those of all other files that earlier comparisons have stored. */
function knownLines(
  { day, lines, before, after }: DayToReconcile,
  stored: readonly FiledLine[],
): FiledLine[] {
  const filed = [before, lines, after].flatMap((file, at) =>
    file.map((line) => ({ ...line, day: addDays(day, at - 1) })),
  );
  const days = new Set([day, ...filed.map((line) => line.day)]);
  return [...filed, ...stored.filter((line) => !days.has(line.day))];
}

function discrepancyOf(
  deps: Pick<Deps, 'wall' | 'random'>,
  day: string,
  difference: SettlementDifference,
  reportKey: string,
): NewDiscrepancy {
  const { reason, type, reference, reported_centavos, recorded_centavos, paymentId } = difference;
  const createdAt = deps.wall();
  return {
    id: uuidV7(createdAt.getTime(), deps.random),
    source: 'settlement_file',
    reason,
    paymentId,
    operationId: null,
    reference,
    reportKey,
    reported: { report: `settlement_file.${type}`, day, amount_centavos: reported_centavos },
    recorded: { entry: type, amount_centavos: recorded_centavos },
    createdAt,
    ...(mayBeLost(difference) && { inquireAt: createdAt }),
  };
}

/** Whether a line can be of a change that was not notified. A payment is captured once, and a refund is made once. */
function mayBeLost({ reason, type }: SettlementDifference): boolean {
  if (reason === 'settlement_doubled') return type === 'dispute' || type === 'dispute_reversed';
  return reason === 'settlement_unknown';
}
