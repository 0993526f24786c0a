import { sumOf } from '../money.ts';
import { subtractedRefunds, type TimedRefund } from './disputed-amount.ts';
import { addUpTo } from './sums.ts';

/**
 * What a line of a settlement file can be about. `dispute`: a dispute was opened, or its amount has increased because a
 * refund was denied. `dispute_reversed`: the merchant won the dispute.
 */
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

/** A line and the day of its file. */
export type FiledLine = SettlementLine & { readonly day: string };

/** A refund of a payment that is disputed. */
export type DisputedRefund = TimedRefund & { readonly reference: string };

/** The amounts of a payment that is disputed. */
export interface DisputedPayment {
  readonly captured_centavos: number;
  /** What its disputes hold back in the ledger; null if that is not known. */
  readonly held_centavos: number | null;
  readonly refunds: readonly DisputedRefund[];
}

/** What the ledger has in place of a line. */
export interface SettlementPosting {
  readonly reference: string;
  readonly type: SettlementType;
  readonly amount_centavos: number;
  readonly paymentId: string;
  /** Merchant's day. */
  readonly day: string;
  /** Set for a dispute and its end: what the acquirer may have counted otherwise when it wrote its line. */
  readonly disputed?: DisputedPayment;
  /** When the merchant won the dispute. */
  readonly wonAt?: Date | undefined;
  /** A dispute, or its end, with an amount that the ledger itself contradicts. */
  readonly isWrong?: true;
  /** A refund that was denied. The acquirer has a line only if it had subtracted the refund from the dispute. */
  readonly isConditional?: true;
}

/**
 * settlement_unknown: the ledger has nothing with this reference and type. settlement_doubled: another line has used
 * what the ledger has. settlement_amount_mismatch: the amounts differ, or the totals of a payment's disputes do.
 * settlement_missing: no file names what the ledger has.
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
  /** In the file; null if the line is missing. For the total of the disputes of a payment: less what was returned. */
  readonly reported_centavos: number | null;
  /** In the ledger; null if it has nothing. */
  readonly recorded_centavos: number | null;
  readonly paymentId: string | null;
  /** Whether it is one of the total of the disputes of a payment. */
  readonly isTotal?: true;
}

/**
 * Identifies equal differences of a day. The same total of the disputes of a payment is one difference, although the
 * payment has more lines on later days.
 */
export function differenceKey(day: string, difference: SettlementDifference): string {
  const { type, reference, reason, isTotal, reported_centavos, recorded_centavos } = difference;
  if (isTotal) return `settlement:total:${reference}:${reported_centavos}:${recorded_centavos}`;
  return `settlement:${day}:${type}:${reference}:${reason}`;
}

/** A day with all that is known about its lines and postings. */
export interface SettlementDay {
  readonly day: string;
  /**
   * The lines of the day, and of other days with the same references: a line can come again, or not on the day of its
   * posting.
   */
  readonly lines: readonly FiledLine[];
  /** All postings around the day, and all with the references of its lines, of whatever day. */
  readonly postings: readonly SettlementPosting[];
}

export interface SettlementComparison {
  /** The differences of the day. Those of other days belong to these days. */
  readonly differences: readonly SettlementDifference[];
  /** Whether all lines and all postings of a reference and type agree. */
  agrees(one: Pick<SettlementLine, 'type' | 'reference'>): boolean;
}

/** Compares lines with postings. Each line and each posting is used once; the line of an earlier file comes first. */
export function compareSettlement({ day, lines, postings }: SettlementDay): SettlementComparison {
  const all = Map.groupBy(postings, keyOf);
  const left = new Map<string, SettlementPosting[]>([...all].map(([key, group]) => [key, [...group]]));
  const returns = Map.groupBy(
    lines.filter(({ type }) => type === 'dispute_reversed'),
    ({ reference }) => reference,
  );
  const expected = new Set<string>();
  const unmatchedLines = lines
    .toSorted((one, other) => (one.day < other.day ? -1 : Number(one.day > other.day)))
    .filter((line) => {
      const group = left.get(keyOf(line)) ?? [];
      const posting = group.find((each) => hasAmount(each, line));
      if (posting === undefined) return true;
      group.splice(group.indexOf(posting), 1);
      for (const key of laterLines(posting, line, returns)) expected.add(key);
      return false;
    });
  const wrong = unmatchedLines.map((line) => {
    const key = keyOf(line);
    return { key, day: line.day, difference: lineDifference(line, all.get(key), left.get(key)?.shift()) };
  });
  const missing = [...left].flatMap(([key, group]) =>
    group
      .filter(({ isConditional }) => isConditional === undefined || expected.has(key))
      .map((posting) => ({ key, day: posting.day, difference: missingLine(posting) })),
  );
  const unmatched = [...wrong, ...missing];
  const totals = differentTotals({ lines, postings, unmatched: new Set(unmatched.map(({ key }) => key)) });
  const found = [...unmatched, ...totals];
  const different = new Set([...unmatched.map(({ key }) => key), ...totals.flatMap(({ keys }) => keys)]);
  const seen = new Set([...all.keys(), ...lines.map(keyOf)]);
  return {
    differences: found.filter((one) => one.day === day).map(({ difference }) => difference),
    agrees: (one) => seen.has(keyOf(one)) && !different.has(keyOf(one)),
  };
}

/**
 * Whether the amounts are equal. The acquirer counts what is disputed by its own records: refunds that had no result
 * yet may be subtracted, and reports of disputes and refunds may have arrived in another order. `differentTotals` finds
 * lines whose sum is too high or too low.
 */
function hasAmount({ amount_centavos, disputed, isWrong }: SettlementPosting, line: SettlementLine): boolean {
  if (disputed === undefined) return amount_centavos === line.amount_centavos;
  return isWrong === undefined && subtractedRefunds(line, disputed, disputed.refunds) !== null;
}

/**
 * The lines that follow a dispute from which the acquirer had subtracted refunds that were denied before its end.
 * `returns`: by reference, the lines that return the money of a dispute.
 */
function laterLines(
  { type, disputed, wonAt }: SettlementPosting,
  line: SettlementLine,
  returns: ReadonlyMap<string, readonly SettlementLine[]>,
): string[] {
  if (type !== 'dispute' || disputed === undefined) return [];
  const subtracted = subtractedRefunds(line, disputed, disputed.refunds)!;
  const denied = subtracted.filter(({ status }) => status === 'denied');
  if (denied.length === 0) return [];
  const end = endOf(line, returns.get(line.reference) ?? []) ?? wonAt;
  // One of the same moment may have been denied before or after it.
  return denied
    .filter(({ updatedAt }) => end === undefined || updatedAt < end)
    .map(({ reference }) => keyOf({ type: 'dispute', reference }));
}

/** When the acquirer returned the money of a dispute, by its lines. The report of it may have arrived later. */
function endOf({ occurredAt }: SettlementLine, returns: readonly SettlementLine[]): Date | undefined {
  return returns
    .map((one) => one.occurredAt)
    .filter((at) => at >= occurredAt)
    .sort((one, other) => one.getTime() - other.getTime())[0];
}

interface DifferentTotal {
  readonly keys: readonly string[];
  readonly day: string;
  readonly difference: SettlementDifference;
}

/**
 * Payments whose lines and postings about disputes all have their counterpart, but hold back different totals. A
 * dispute that was won holds back nothing, and any other what is not refunded, however each line was counted. Only a
 * refund without a result may be subtracted on one side alone. `unmatched`: keys with a line or posting without
 * counterpart.
 */
function differentTotals({
  lines,
  postings,
  unmatched,
}: Pick<SettlementDay, 'lines' | 'postings'> & {
  readonly unmatched: ReadonlySet<string>;
}): DifferentTotal[] {
  const linesOf = Map.groupBy(lines, keyOf);
  return [...Map.groupBy(postings, ({ paymentId }) => paymentId).values()].flatMap((own) => {
    const dispute = own.find(({ type, disputed }) => type === 'dispute' && disputed !== undefined);
    if (dispute === undefined) return [];
    const { held_centavos, refunds } = dispute.disputed!;
    const keys = [...new Set(own.filter(isOfDispute).map(keyOf))];
    if (held_centavos === null || keys.some((key) => unmatched.has(key))) return [];
    const filed = keys.flatMap((key) => linesOf.get(key) ?? []);
    const filed_centavos = sumOf(
      filed.map(({ type, amount_centavos }) => (type === 'dispute' ? amount_centavos : -amount_centavos)),
    );
    const open = refunds.filter(({ status }) => status === 'in_progress');
    const openAmounts = open.map(({ amount_centavos }) => amount_centavos);
    if (addUpTo(held_centavos - filed_centavos, openAmounts)) return [];
    const { type, reference, paymentId } = dispute;
    const amounts = { reported_centavos: filed_centavos, recorded_centavos: held_centavos };
    const difference = {
      reason: 'settlement_amount_mismatch',
      type,
      reference,
      ...amounts,
      paymentId,
      isTotal: true,
    } as const;
    return [{ keys, day: lastDay([...own, ...filed]), difference }];
  });
}

function isOfDispute({ type }: SettlementPosting): boolean {
  return type === 'dispute' || type === 'dispute_reversed';
}

/** The comparison of this day knows all of them. */
function lastDay(dated: readonly { readonly day: string }[]): string {
  return dated.reduce((last, { day }) => (day > last ? day : last), '');
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
