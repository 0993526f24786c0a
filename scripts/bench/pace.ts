/** How long everything takes. */
export interface Pace {
  /** Of one round at one number of connections, after its warm-up. */
  readonly round_s: number;
  readonly warmUp_s: number;
  /** Before the first round of an operation: until the code is compiled for what it does. */
  readonly heat_s: number;
  /** The median of so many rounds counts. */
  readonly rounds: number;
  /**
   * Where two sides are compared, both are started for each of so many rounds: what the compiler made of a process stays
   * with it.
   */
  readonly pairs: number;
  readonly starts: number;
  /** Rows of the books: where growth is looked at. The second is where everything else is measured. */
  readonly rows: readonly [number, number, number];
  /** Depth of the page that is held against the first. */
  readonly depth: number;
}

export const FULL: Pace = {
  round_s: 3,
  warmUp_s: 0.5,
  heat_s: 5,
  rounds: 5,
  pairs: 5,
  starts: 5,
  rows: [10_000, 100_000, 1_000_000],
  depth: 100_000,
};

/** Shows that the whole program runs; its figures mean nothing. */
export const REHEARSAL: Pace = {
  round_s: 0.2,
  warmUp_s: 0,
  heat_s: 0.2,
  rounds: 1,
  pairs: 1,
  starts: 1,
  rows: [50, 100, 200],
  depth: 100,
};

/** The middle one; of an even number, the upper of the two in the middle. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!;
}
