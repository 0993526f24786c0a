import type { Queryable, Tx } from '../../db/engine/database.ts';
import { summedTransfers } from '../../db/ledger/summed-transfers.ts';
import { openSettlementGaps } from '../../db/payments/discrepancies.ts';
import { refundsOfPayments } from '../../db/payments/refunds.ts';
import { storedSettlementLines } from '../../db/payments/settlement-lines.ts';
import {
  compareSettlement,
  type SettlementComparison,
  type SettlementPosting,
} from '../../domain/ledger/settlement.ts';
import { settlementPostings } from '../../domain/ledger/settlement-postings.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import { moveDiscrepancy } from './move-discrepancy.ts';

const NEVER = new Date(0);
const CAME_LATER = 'Closed by the service: the settlement files and the ledger now agree.';

/** What the ledger has of the payments with a transfer in a time range, or with one of these references. */
export async function postingsOf(
  q: Queryable,
  merchant: MerchantScope,
  range: Parameters<typeof summedTransfers>[2],
): Promise<SettlementPosting[]> {
  const sums = await summedTransfers(q, merchant, range);
  const disputed = sums.filter(({ kind }) => kind === 'dispute').map(({ paymentId }) => paymentId);
  return settlementPostings(sums, await refundsOfPayments(q, merchant, [...new Set(disputed)]));
}

/**
 * Closes the discrepancies about lines and entries with these references that were missing, where both sides agree now.
 * Returns how many.
 */
export async function closeAgreedGaps(
  tx: Tx,
  merchant: MerchantScope,
  { agrees, references }: Pick<SettlementComparison, 'agrees'> & { readonly references: readonly string[] },
  at: Date,
): Promise<number> {
  let closed = 0;
  for (const { id, type, reference } of await openSettlementGaps(tx, merchant, references)) {
    if (!agrees({ type, reference })) continue;
    await moveDiscrepancy(tx, merchant, { id, move: 'close', by: 'clock', note: CAME_LATER, at });
    closed += 1;
  }
  return closed;
}

/** The same for these references, by the lines of all files that were compared. */
export async function closeGapsOf(
  tx: Tx,
  merchant: MerchantScope,
  references: readonly string[],
  at: Date,
): Promise<number> {
  const lines = await storedSettlementLines(tx, merchant, references);
  const postings = await postingsOf(tx, merchant, { from: NEVER, before: NEVER, references });
  // The day does not matter: only the differences of a day are left out.
  const { agrees } = compareSettlement({ day: '', lines, postings });
  return closeAgreedGaps(tx, merchant, { agrees, references }, at);
}
