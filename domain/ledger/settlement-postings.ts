import { merchantDay } from '../local-time.ts';
import { sumOf } from '../money.ts';
import type { DisputedRefund, SettlementPosting, SettlementType } from './settlement.ts';
import { addUpTo } from './sums.ts';
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
  const refundsOf = Map.groupBy(refunds, ({ paymentId }) => paymentId);
  const byPayment = Map.groupBy(sums, ({ paymentId }) => paymentId);
  return [...byPayment].flatMap(([id, own]) => postingsOfPayment(own, refundsOf.get(id) ?? []));
}

function postingsOfPayment(
  sums: readonly SummedTransfers[],
  refunds: readonly RefundOfPayment[],
): SettlementPosting[] {
  const kinds = Map.groupBy(sums, ({ transactionId }) => transactionId);
  const has = (id: string, kind: TransferKind) => kinds.get(id)!.some((sum) => sum.kind === kind);
  const postings: DatedPosting[] = [];
  for (const sum of sums) {
    if (sum.kind !== 'capture' && has(sum.transactionId, 'capture')) continue;
    if (sum.kind === 'dispute' && has(sum.transactionId, 'refund')) reduceDispute(postings, sum);
    else postings.push(...postingOf(sum, sums));
  }
  return withRefunds(
    postings.filter(({ amount_centavos }) => amount_centavos > 0),
    { sums, refunds },
  );
}

interface RecordedPayment {
  readonly sums: readonly SummedTransfers[];
  readonly refunds: readonly RefundOfPayment[];
}

/** Adds to the postings of a payment what its refunds may change in its disputes. */
function withRefunds(postings: readonly DatedPosting[], payment: RecordedPayment): SettlementPosting[] {
  const { sums, refunds } = payment;
  if (refunds.length === 0 || postings.every(({ type }) => type !== 'dispute')) return [...postings];
  const captured_centavos = sumOf(amountsOf(sums, 'capture'));
  const disputed = { captured_centavos, held_centavos: heldCentavos(payment), refunds };
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

/** What the disputes of a payment hold back; null if that is not known. */
function heldCentavos({ sums, refunds }: RecordedPayment): number | null {
  const captures = new Set(ofKind(sums, 'capture').map(({ transactionId }) => transactionId));
  const disputes = ofKind(sums, 'dispute');
  // The files of a dispute from before there was a ledger are not compared.
  if (disputes.some(({ transactionId }) => captures.has(transactionId))) return null;
  const succeeded = refunds.filter(({ status }) => status === 'succeeded');
  // A refund may have succeeded after the transfers were read, and before the refunds were.
  if (sumOf(succeeded.map((each) => each.amount_centavos)) !== sumOf(amountsOf(sums, 'refund'))) return null;
  return sumOf(disputes.map(({ amount_centavos }) => amount_centavos));
}

/**
 * Whether the amount of a dispute, or of its end, is what was captured less what was refunded before. Refunds at the
 * same time may count or not.
 */
function matchesUnrefundedAmount(
  { amount_centavos, at }: SummedTransfers,
  sums: readonly SummedTransfers[],
): boolean {
  const before = sums.filter((sum) => sum.at < at);
  const sameTime = sums.filter((sum) => sum.at.getTime() === at.getTime());
  const rest_centavos = sumOf(amountsOf(sums, 'capture')) - sumOf(amountsOf(before, 'refund'));
  return addUpTo(rest_centavos - Math.abs(amount_centavos), amountsOf(sameTime, 'refund'));
}

function ofKind(sums: readonly SummedTransfers[], kind: TransferKind): SummedTransfers[] {
  return sums.filter((sum) => sum.kind === kind);
}

function amountsOf(sums: readonly SummedTransfers[], kind: TransferKind): number[] {
  return ofKind(sums, kind).map(({ amount_centavos }) => amount_centavos);
}

function postingOf(sum: SummedTransfers, sums: readonly SummedTransfers[]): DatedPosting[] {
  const { paymentId, reference, kind, amount_centavos, at } = sum;
  const type = typeOf(kind, amount_centavos);
  if (type === null) return [];
  const isWrong = kind === 'dispute' && !matchesUnrefundedAmount(sum, sums);
  return [
    {
      reference,
      type,
      amount_centavos: Math.abs(amount_centavos),
      paymentId,
      day: merchantDay(at),
      at,
      ...(isWrong && { isWrong }),
    },
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

function reduceDispute(postings: DatedPosting[], { amount_centavos }: SummedTransfers): void {
  const at = postings.findLastIndex(({ type }) => type === 'dispute');
  const dispute = postings[at];
  if (dispute === undefined) return;
  postings[at] = { ...dispute, amount_centavos: dispute.amount_centavos + amount_centavos };
}
