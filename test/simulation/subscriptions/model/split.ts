/** How a charge is shared with recipients (rows 7.7, 13.8 and 13.10). */

/** A line of a subscription's split. */
export interface ModelShare {
  readonly recipientId: string;
  readonly type: 'fixed' | 'percentage';
  /** Centavos, or 1 to 100. */
  readonly value: number;
  readonly takesRemainder: boolean;
  readonly bearsFee: boolean;
  readonly isLiable: boolean;
}

/** A part of a charge: the recipient, and centavos. */
export type Part = readonly [recipientId: string, amount: number];

/**
 * The recipients' parts of the charge of a cycle, in the order of the lines. Percentages come first: what they leave is
 * paid to the fixed shares in their order, as far as it goes.
 */
export function partsOf(lines: readonly ModelShare[], amount: number): Part[] {
  const percent = lines.reduce((sum, { type, value }) => sum + (type === 'percentage' ? value : 0), 0);
  const forPercentages = Math.floor((amount * percent) / 100);
  let forFixed = amount - forPercentages;
  let remainder = forPercentages;
  const parts = lines.map(({ type, value }) => {
    const part = type === 'fixed' ? Math.min(value, forFixed) : Math.floor((amount * value) / 100);
    if (type === 'fixed') forFixed -= part;
    else remainder -= part;
    return part;
  });
  const first = lines.findIndex(({ takesRemainder }) => takesRemainder);
  return lines.map(({ recipientId }, i) => [recipientId, parts[i]! + (i === first ? remainder : 0)]);
}

/** The same of the difference that an upgrade charges: fixed shares are of a cycle. */
export function partsOfUpgrade(lines: readonly ModelShare[], amount: number): Part[] {
  return partsOf(
    lines.filter(({ type }) => type === 'percentage'),
    amount,
  );
}
