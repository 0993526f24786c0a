/** The maximum of sums that are tried. */
const MAX_SUMS = 10_000;

/** Whether some of `amounts`, all positive, add up to `sum`. Also false if there are too many combinations to try. */
export function addUpTo(sum: number, amounts: readonly number[]): boolean {
  const total = amounts.reduce((one, other) => one + other, 0);
  if (sum === 0 || sum === total) return true;
  if (sum < 0 || sum > total) return false;
  const sums = new Set([0]);
  for (const amount of amounts) {
    for (const smaller of [...sums]) if (smaller + amount <= sum) sums.add(smaller + amount);
    if (sums.has(sum)) return true;
    if (sums.size > MAX_SUMS) return false;
  }
  return false;
}
