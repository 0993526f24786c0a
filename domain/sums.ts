/** More sums than this are not tried: nearly every amount is then one of them. */
const MOST_SUMS = 10_000;

/** Whether some of `amounts`, or none, add up to `sum`. Amounts are positive. True also where there are too many to tell. */
export function mayAddUpTo(sum: number, amounts: readonly number[]): boolean {
  const total = amounts.reduce((one, other) => one + other, 0);
  if (sum === 0 || sum === total) return true;
  if (sum < 0 || sum > total) return false;
  const sums = new Set([0]);
  for (const amount of amounts) {
    for (const smaller of [...sums]) if (smaller + amount <= sum) sums.add(smaller + amount);
    if (sums.has(sum) || sums.size > MOST_SUMS) return true;
  }
  return false;
}
