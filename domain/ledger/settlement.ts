import { addUpTo } from '../sums.ts';

/** What a line of a settlement file can be about. `dispute_reversed`: the merchant won the dispute. */
export const SETTLEMENT_TYPES = ['capture', 'refund', 'dispute', 'dispute_reversed'] as const;

export type SettlementType = (typeof SETTLEMENT_TYPES)[number];

/** A line of the acquirer's settlement file. */
export interface SettlementLine {
  /** Our reference of the payment, or of the refund. */
  readonly reference: string;
  readonly type: SettlementType;
  readonly amount_centavos: number;
  /** By the acquirer's clock. */
  readonly occurredAt: Date;
}

/** What the ledger has in place of a line. */
export interface SettlementPosting {
  readonly reference: string;
  readonly type: SettlementType;
  readonly amount_centavos: number;
  readonly paymentId: string;
  /** Merchant's day. */
  readonly day: string;
  /** Refunds of the payment in progress. The acquirer may have taken some of them from a dispute already. */
  readonly openRefunds_centavos?: readonly number[] | undefined;
}

/**
 * settlement_unknown: the ledger has nothing with this reference and type. settlement_doubled: another line has used
 * what the ledger has. settlement_amount_mismatch: the amounts differ. settlement_missing: no file names what the ledger
 * has.
 */
export type SettlementReason =
  | 'settlement_unknown'
  | 'settlement_doubled'
  | 'settlement_amount_mismatch'
  | 'settlement_missing';

/** A difference between a settlement file and the ledger. */
export interface SettlementDifference {
  readonly reason: SettlementReason;
  readonly type: SettlementType;
  readonly reference: string;
  /** In the file; null if the line is missing. */
  readonly reported_centavos: number | null;
  /** In the ledger; null if it has nothing. */
  readonly recorded_centavos: number | null;
  readonly paymentId: string | null;
}

/** Files of consecutive days, and the postings that they can name. */
export interface SettlementDay {
  readonly day: string;
  readonly lines: readonly SettlementLine[];
  /** The lines of the day before and of the day after: the clocks of both sides can differ around midnight. */
  readonly before: readonly SettlementLine[];
  readonly after: readonly SettlementLine[];
  /** All postings of these days, and those that the lines of the day name, of whatever day. */
  readonly postings: readonly SettlementPosting[];
}

/** The differences of one day. Each line and each posting is used once. */
export function compareSettlement({
  day,
  lines,
  before,
  after,
  postings,
}: SettlementDay): SettlementDifference[] {
  const all = Map.groupBy(postings, keyOf);
  const left = new Map<string, SettlementPosting[]>([...all].map(([key, group]) => [key, [...group]]));
  const isExact = (line: SettlementLine): boolean => {
    const group = left.get(keyOf(line)) ?? [];
    const at = group.findIndex((posting) => hasAmount(posting, line.amount_centavos));
    if (at !== -1) group.splice(at, 1);
    return at !== -1;
  };
  const [oddBefore, odd, oddAfter] = [before, lines, after].map((file) =>
    file.filter((line) => !isExact(line)),
  );
  const wrong = odd!.map((line) =>
    lineDifference(line, all.get(keyOf(line)), left.get(keyOf(line))?.shift()),
  );
  // Their differences belong to their own days.
  for (const line of [...oddBefore!, ...oddAfter!]) left.get(keyOf(line))?.shift();
  const missing = [...left.values()].flat().filter((posting) => posting.day === day);
  return [...wrong, ...missing.map(missingLine)];
}

function hasAmount(
  { type, amount_centavos, openRefunds_centavos = [] }: SettlementPosting,
  reported: number,
) {
  if (type !== 'dispute') return amount_centavos === reported;
  return addUpTo(amount_centavos - reported, openRefunds_centavos);
}

function keyOf({ type, reference }: Pick<SettlementLine, 'type' | 'reference'>): string {
  return `${type} ${reference}`;
}

function lineDifference(
  { type, reference, amount_centavos }: SettlementLine,
  postings: readonly SettlementPosting[] | undefined,
  unused: SettlementPosting | undefined,
): SettlementDifference {
  const posting = unused ?? postings?.[0];
  const difference = {
    type,
    reference,
    reported_centavos: amount_centavos,
    recorded_centavos: posting?.amount_centavos ?? null,
    paymentId: posting?.paymentId ?? null,
  };
  if (posting === undefined) return { ...difference, reason: 'settlement_unknown' };
  return {
    ...difference,
    reason: unused === undefined ? 'settlement_doubled' : 'settlement_amount_mismatch',
  };
}

function missingLine({
  type,
  reference,
  amount_centavos,
  paymentId,
}: SettlementPosting): SettlementDifference {
  return {
    reason: 'settlement_missing',
    type,
    reference,
    reported_centavos: null,
    recorded_centavos: amount_centavos,
    paymentId,
  };
}
