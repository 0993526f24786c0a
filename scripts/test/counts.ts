/** The result of a run. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export const NOTHING_RAN: Counts = { passed: 0, failed: 0, skipped: 0 };

export function add(a: Counts, b: Counts): Counts {
  return { passed: a.passed + b.passed, failed: a.failed + b.failed, skipped: a.skipped + b.skipped };
}

/** The last line of every run, for people and programs: `12 passed, 0 failed`. */
export function plainLine({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** Reads the last such line of a program's output. Returns null when there is none. */
export function readPlainLine(output: string): Counts | null {
  const match = [...output.matchAll(/^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?\r?$/gm)].at(-1);
  if (match === undefined) return null;
  return { passed: Number(match[1]), failed: Number(match[2]), skipped: Number(match[3] ?? 0) };
}

/** The same with each skip counted as a failure. */
export function withoutSkips({ passed, failed, skipped }: Counts): Counts {
  return { passed, failed: failed + skipped, skipped: 0 };
}

/** Whether a run is good: something ran, and nothing failed. */
export function isGood(counts: Counts): boolean {
  return counts.passed > 0 && counts.failed === 0;
}
