/** The maximum of sums that are tried. With more, nearly every amount would be one of them. */
const MAX_SUMS = 10_000;

/**
 * Whether some of `amounts`, all positive, may add up to `sum`. Also true if there are too many combinations to try.
 */
export function mayAddUpTo(sum: number, amounts: readonly number[]): boolean {
  const total = amounts.reduce((one, other) => one + other, 0);
  if (sum === 0 || sum === total) return true;
  if (sum < 0 || sum > total) return false;
  const sums = new Set([0]);
  for (const amount of amounts) {
    for (const smaller of [...sums]) if (smaller + amount <= sum) sums.add(smaller + amount);
    if (sums.has(sum) || sums.size > MAX_SUMS) return true;
  }
  return false;
}
