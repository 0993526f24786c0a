/** Whether a value is an amount: integer centavos, not negative, exact in a number. */
export function isCentavos(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/**
 * `amount_centavos × numerator ÷ denominator`, rounded down. All are integers, not negative; the denominator is not 0.
 */
export function proportionDown(amount_centavos: number, numerator: number, denominator: number): number {
  return Number((BigInt(amount_centavos) * BigInt(numerator)) / BigInt(denominator));
}

/** The same, rounded to the nearest centavo; half a centavo is rounded up. */
function proportionRounded(amount_centavos: number, numerator: number, denominator: number): number {
  const doubled = 2n * BigInt(amount_centavos) * BigInt(numerator);
  return Number((doubled + BigInt(denominator)) / (2n * BigInt(denominator)));
}

/** A rate of `basisPoints` (1 = 0.01 %) on an amount, rounded to the nearest centavo. */
export function basisPointsOf(amount_centavos: number, basisPoints: number): number {
  return proportionRounded(amount_centavos, basisPoints, 10_000);
}

export function sumOf(amounts_centavos: readonly number[]): number {
  return amounts_centavos.reduce((sum, amount) => sum + amount, 0);
}

/**
 * Divides an amount in proportion to weights, to the centavo. The parts add up to the amount exactly, even if it
 * exceeds the sum of the weights. Throws if all weights are 0 and the amount is not.
 *
 * A part never becomes smaller when the amount grows, and an amount that equals the sum of the weights gives the
 * weights. So an amount can be divided in several steps: divide the running total after each step, and subtract the
 * parts of the total before it. No difference is negative, and after the last step each part is exact, in whatever
 * order the steps come. Rounding each part separately, or the method of largest remainders, does not have this
 * property.
 *
 * The largest weight gets its rounded part, the next one its rounded part of the rest, and so on. Each part is then
 * within one centavo of the exact proportion for up to four weights, and within two for any number.
 */
export function apportion(amount_centavos: number, weights: readonly number[]): number[] {
  const parts = weights.map(() => 0);
  if (amount_centavos === 0) return parts;
  let left_centavos = amount_centavos;
  let weightLeft = sumOf(weights);
  if (weightLeft === 0) throw new RangeError('There is nothing to divide in proportion to.');
  for (const at of heaviestFirst(weights)) {
    const weight = weights[at]!;
    if (weight === 0) break;
    const part_centavos = proportionRounded(left_centavos, weight, weightLeft);
    parts[at] = part_centavos;
    left_centavos -= part_centavos;
    weightLeft -= weight;
  }
  return parts;
}

/** Indexes of the weights, the largest weight first. Equal weights keep their order. */
function heaviestFirst(weights: readonly number[]): number[] {
  return weights.map((_, at) => at).sort((one, other) => weights[other]! - weights[one]! || one - other);
}
