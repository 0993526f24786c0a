/** Durations and repetitions of a run. */
export interface Pace {
  /** One round at one number of connections, after its warm-up. */
  readonly round_s: number;
  readonly warmUp_s: number;
  /** Before the first round of an operation, until V8 has compiled its code. */
  readonly heat_s: number;
  /** Number of rounds. Their median counts. */
  readonly rounds: number;
  /**
   * Number of starts when two sides are compared. Both are started again for each, as V8 may compile a process in
   * different ways.
   */
  readonly pairs: number;
  readonly starts: number;
  /** Number of operations that are profiled, the first of the list. */
  readonly profiles: number;
  /** Payments of the first merchant at which growth is measured. Everything else is measured at the second number. */
  readonly rows: readonly [number, number, number];
  /** Payments of each other merchant. */
  readonly otherRows: number;
  /** Depth of the page that is compared with the first. */
  readonly depth: number;
  /** Cards of each merchant, each of another customer. */
  readonly cards: number;
  /** How long orders are offered at a fixed rate. */
  readonly offered_s: number;
}

export const FULL: Pace = {
  round_s: 3,
  warmUp_s: 0.5,
  heat_s: 5,
  rounds: 5,
  pairs: 5,
  starts: 5,
  profiles: Number.POSITIVE_INFINITY,
  rows: [1_000, 100_000, 1_000_000],
  otherRows: 1_000,
  depth: 100_000,
  cards: 200,
  offered_s: 60,
};

/** A quick trial of the whole program. Its figures mean nothing. */
export const REHEARSAL: Pace = {
  round_s: 0.1,
  warmUp_s: 0,
  heat_s: 0.1,
  rounds: 1,
  pairs: 1,
  starts: 1,
  profiles: 1,
  rows: [50, 100, 200],
  otherRows: 50,
  depth: 100,
  cards: 10,
  offered_s: 0.2,
};

/** The median. Of an even number, the upper of the two in the middle. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}
