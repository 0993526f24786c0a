import { proportionDown, sumOf } from '../money.ts';

/** One line of a split, as the merchant wrote it. */
export interface SplitLine {
  readonly recipientId: string;
  readonly type: 'fixed' | 'percentage';
  /** Centavos of a fixed share; 1 to 100 of a percentage. */
  readonly value: number;
  /** Whether the platform's fee is taken from this share. */
  readonly bearsFee: boolean;
  /** Whether the centavos that remain after rounding are added to this share. */
  readonly takesRemainder: boolean;
  /** Whether the recipient bears chargebacks. */
  readonly isLiable: boolean;
}

/** The share of one line. */
export interface Share {
  readonly recipientId: string;
  /** Gross: includes the fee. */
  readonly share_centavos: number;
  readonly fee_centavos: number;
  readonly isLiable: boolean;
}

/** A divided amount. The shares and the merchant's part add up to the amount, and the fees of all to the fee. */
export interface SplitAmount {
  /** One per line, in the order of the lines. */
  readonly shares: readonly Share[];
  /** The part without a recipient. Gross, like the shares. */
  readonly merchant_centavos: number;
  /** Can exceed the merchant's part, if the recipients get most of the amount and bear no fee. */
  readonly merchantFee_centavos: number;
}

/** Indexes of the lines whose recipient already has an earlier line. */
export function repeatedRecipients(lines: readonly SplitLine[]): number[] {
  const ids = lines.map(({ recipientId }) => recipientId);
  return ids.flatMap((id, at) => (ids.indexOf(id) < at ? [at] : []));
}

/** Whether the fixed shares and the percentages together do not exceed the amount. */
export function fitsAmount(lines: readonly SplitLine[], amount_centavos: number): boolean {
  const fixed_centavos = sumOf(lines.filter(isFixed).map(({ value }) => value));
  const percent = percentOf(lines);
  return percent <= 100 && fixed_centavos + proportionDown(amount_centavos, percent, 100) <= amount_centavos;
}

/**
 * Splits an amount and the platform's fee for it (contract rows 7.7 and 13.8). Each percentage is rounded down. The
 * remaining centavos go to the first line with `takesRemainder`, or else to the merchant. Throws a RangeError if the
 * lines exceed the amount: callers ask `fitsAmount` first.
 */
export function splitAmount(
  amount_centavos: number,
  fee_centavos: number,
  lines: readonly SplitLine[],
): SplitAmount {
  if (!fitsAmount(lines, amount_centavos)) throw new RangeError('The split is more than the amount.');
  if (fee_centavos > amount_centavos) throw new RangeError('The fee is more than the amount.');
  const shares_centavos = sharesOf(amount_centavos, lines);
  const fees_centavos = feesOf(fee_centavos, lines, shares_centavos);
  return {
    shares: lines.map(({ recipientId, isLiable }, at) => ({
      recipientId,
      share_centavos: shares_centavos[at]!,
      fee_centavos: fees_centavos[at]!,
      isLiable,
    })),
    merchant_centavos: amount_centavos - sumOf(shares_centavos),
    merchantFee_centavos: fee_centavos - sumOf(fees_centavos),
  };
}

/**
 * The lines for a charge that is smaller than usual, because a credit was subtracted from it. Percentages do not
 * change. Fixed shares are paid in their order from what is left, so the last ones are cut first (contract row 13.10).
 */
export function cutToFit<Line extends SplitLine>(lines: readonly Line[], amount_centavos: number): Line[] {
  let left_centavos = amount_centavos - proportionDown(amount_centavos, percentOf(lines), 100);
  return lines.map((line) => {
    if (!isFixed(line)) return line;
    const value = Math.min(line.value, left_centavos);
    left_centavos -= value;
    return { ...line, value };
  });
}

function sharesOf(amount_centavos: number, lines: readonly SplitLine[]): number[] {
  const shares = lines.map((line) =>
    isFixed(line) ? line.value : proportionDown(amount_centavos, line.value, 100),
  );
  const percentages_centavos = sumOf(shares.filter((_, at) => !isFixed(lines[at]!)));
  const remainder_centavos = proportionDown(amount_centavos, percentOf(lines), 100) - percentages_centavos;
  const taker = lines.findIndex(({ takesRemainder }) => takesRemainder);
  return shares.map((share, at) => (at === taker ? share + remainder_centavos : share));
}

/**
 * The part of the fee of each line: in proportion to the shares that bear the fee, rounded down, and never more than
 * the share. The remaining centavos go to the first such share that has room for them.
 */
function feesOf(
  fee_centavos: number,
  lines: readonly SplitLine[],
  shares_centavos: readonly number[],
): number[] {
  const bearing = shares_centavos.map((share, at) => (lines[at]!.bearsFee ? share : 0));
  const total_centavos = sumOf(bearing);
  if (total_centavos === 0) return bearing;
  const borne_centavos = Math.min(fee_centavos, total_centavos);
  const fees = bearing.map((share) => proportionDown(borne_centavos, share, total_centavos));
  let left_centavos = borne_centavos - sumOf(fees);
  return fees.map((fee, at) => {
    const more = Math.min(left_centavos, bearing[at]! - fee);
    left_centavos -= more;
    return fee + more;
  });
}

function isFixed({ type }: SplitLine): boolean {
  return type === 'fixed';
}

function percentOf(lines: readonly SplitLine[]): number {
  return sumOf(lines.filter((line) => !isFixed(line)).map(({ value }) => value));
}
