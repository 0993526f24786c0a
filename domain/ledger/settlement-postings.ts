import { merchantDay } from '../local-time.ts';
import { sumOf } from '../money.ts';
import type { DisputedRefund, SettlementPosting, SettlementType } from './settlement.ts';
import type { TransferKind } from './transfers.ts';

/**
 * The transfers of one kind in one transaction, summed: positive for a capture, a refund and a dispute that is opened.
 */
export interface SummedTransfers {
  readonly transactionId: string;
  readonly paymentId: string;
  readonly reference: string;
  readonly kind: TransferKind;
  readonly amount_centavos: number;
  /** Merchant's time. */
  readonly at: Date;
}

/** A refund and its payment. */
type RefundOfPayment = DisputedRefund & { readonly paymentId: string };

type DatedPosting = SettlementPosting & { readonly at: Date };

/**
 * What settlement files name of the ledger of some payments. `sums` has all transfers of these payments, the oldest
 * first, and `refunds` all of their refunds.
 *
 * - A refund that completes in a dispute reduces the dispute; the acquirer's file has only the refund, and the dispute
 *   without it.
 * - The acquirer may subtract a refund from a dispute when it is requested. If the refund is denied, the dispute has
 *   its amount from then on: a line with the reference of the refund.
 * - The entries of a payment that was captured before there was a ledger were written together, later. Only the capture
 *   has its own reference.
 */
export function settlementPostings(
  sums: readonly SummedTransfers[],
  refunds: readonly RefundOfPayment[],
): SettlementPosting[] {
  const kinds = Map.groupBy(sums, ({ transactionId }) => transactionId);
  const has = (id: string, kind: TransferKind) => kinds.get(id)!.some((sum) => sum.kind === kind);
  const postings: DatedPosting[] = [];
  for (const sum of sums) {
    if (sum.kind !== 'capture' && has(sum.transactionId, 'capture')) continue;
    if (sum.kind === 'dispute' && has(sum.transactionId, 'refund')) reduceDispute(postings, sum);
    else postings.push(...postingOf(sum));
  }
  const byPayment = Map.groupBy(
    postings.filter(({ amount_centavos }) => amount_centavos > 0),
    ({ paymentId }) => paymentId,
  );
  const refundsOf = Map.groupBy(refunds, ({ paymentId }) => paymentId);
  return [...byPayment].flatMap(([id, own]) => withRefunds(own, refundsOf.get(id) ?? []));
}

/** Adds to the postings of a payment what its refunds may change in its disputes. */
function withRefunds(
  postings: readonly DatedPosting[],
  refunds: readonly RefundOfPayment[],
): SettlementPosting[] {
  if (refunds.length === 0 || postings.every(({ type }) => type !== 'dispute')) return [...postings];
  const captured = postings.filter(({ type }) => type === 'capture');
  const disputed = { captured_centavos: sumOf(captured.map((each) => each.amount_centavos)), refunds };
  const denied = refunds.filter(({ status }) => status === 'denied');
  return [
    ...postings.map((posting, at) => {
      if (posting.type !== 'dispute' && posting.type !== 'dispute_reversed') return posting;
      const wonAt = postings.slice(at).find(({ type }) => type === 'dispute_reversed')?.at;
      return { ...posting, wonAt, disputed };
    }),
    ...denied.map(({ reference, amount_centavos, paymentId, updatedAt }) => ({
      reference,
      type: 'dispute' as const,
      amount_centavos,
      paymentId,
      day: merchantDay(updatedAt),
      isConditional: true as const,
    })),
  ];
}

function postingOf({ paymentId, reference, kind, amount_centavos, at }: SummedTransfers): DatedPosting[] {
  const type = typeOf(kind, amount_centavos);
  if (type === null) return [];
  return [
    { reference, type, amount_centavos: Math.abs(amount_centavos), paymentId, day: merchantDay(at), at },
  ];
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

function reduceDispute(postings: DatedPosting[], { paymentId, amount_centavos }: SummedTransfers): void {
  const at = postings.findLastIndex(
    (posting) => posting.type === 'dispute' && posting.paymentId === paymentId,
  );
  const dispute = postings[at];
  if (dispute === undefined) return;
  postings[at] = { ...dispute, amount_centavos: dispute.amount_centavos + amount_centavos };
}
