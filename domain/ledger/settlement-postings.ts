import { merchantDay } from '../local-time.ts';
import type { SettlementPosting, SettlementType } from './settlement.ts';
import type { TransferKind } from './transfers.ts';

/** The transfers of one kind in one transaction, summed: positive for a capture, a refund and a dispute that is opened. */
export interface SummedTransfers {
  readonly transactionId: string;
  readonly paymentId: string;
  readonly reference: string;
  readonly kind: TransferKind;
  readonly amount_centavos: number;
  /** Merchant's time. */
  readonly at: Date;
}

/**
 * What settlement files name of the ledger of some payments. `sums` has all transfers of these payments, the oldest
 * first.
 *
 * - A refund that completes in a dispute reduces the dispute; the acquirer's file has only the refund, and the dispute
 *   without it.
 * - The entries of a payment that was captured before there was a ledger were written together, later. Only the capture
 *   has its own reference.
 */
export function settlementPostings(sums: readonly SummedTransfers[]): SettlementPosting[] {
  const kinds = Map.groupBy(sums, ({ transactionId }) => transactionId);
  const has = (id: string, kind: TransferKind) => kinds.get(id)!.some((sum) => sum.kind === kind);
  const postings: SettlementPosting[] = [];
  for (const sum of sums) {
    if (sum.kind !== 'capture' && has(sum.transactionId, 'capture')) continue;
    if (sum.kind === 'dispute' && has(sum.transactionId, 'refund')) reduceDispute(postings, sum);
    else postings.push(...postingOf(sum));
  }
  return postings.filter(({ amount_centavos }) => amount_centavos > 0);
}

function postingOf({
  paymentId,
  reference,
  kind,
  amount_centavos,
  at,
}: SummedTransfers): SettlementPosting[] {
  const type = typeOf(kind, amount_centavos);
  if (type === null) return [];
  return [{ reference, type, amount_centavos: Math.abs(amount_centavos), paymentId, day: merchantDay(at) }];
}

function typeOf(kind: TransferKind, amount_centavos: number): SettlementType | null {
  switch (kind) {
    case 'capture':
    case 'refund':
      return kind;
    case 'dispute':
      return amount_centavos > 0 ? 'dispute' : 'dispute_reversed';
    default:
      return null;
  }
}

function reduceDispute(postings: SettlementPosting[], { paymentId, amount_centavos }: SummedTransfers): void {
  const at = postings.findLastIndex(
    (posting) => posting.type === 'dispute' && posting.paymentId === paymentId,
  );
  const dispute = postings[at];
  if (dispute === undefined) return;
  postings[at] = { ...dispute, amount_centavos: dispute.amount_centavos + amount_centavos };
}
