/** Sizes and repetitions of a run. */
export interface SubscriptionPace {
  /** Merchants that share the due cycles, except those of the merchants of single measurements. */
  readonly merchants: number;
  /** Due cycles of one merchant alone, which one worker and then two workers charge. */
  readonly dueOfOne: number;
  /** Customers of each merchant, each with a card, whom its subscriptions charge in turn. */
  readonly customers: number;
  /** Due cycles of a first, small renewal day and of the large one, whose costs for a cycle are compared. */
  readonly due: readonly [number, number];
  /** How long the acquirer takes to answer. */
  readonly answerAfter_ms: number;
  /** Reads a second during the renewal day. */
  readonly reads_per_s: number;
  /** How long one load of reads lasts. */
  readonly reads_s: number;
  /** Subscriptions that are not due, few and many, beside `dueAmong` that are. */
  readonly notDue: readonly [number, number];
  readonly dueAmong: number;
  /** Number of runs among few and among many of them. The medians count. */
  readonly runsAmong: number;
  /** Paid cycles of the subscriptions that are read, few and many. */
  readonly cycles: readonly [number, number];
  /** Invoices of a page: all subscriptions have as many. */
  readonly invoices: number;
  /** Number of reads of each. Their median counts. */
  readonly reads: number;
  /** Number of reads of one subscription before those of the other. */
  readonly readsInTurn: number;
  /** How long the statistics of Postgres may take until they are complete. */
  readonly statistics_ms: number;
}

export const FULL: SubscriptionPace = {
  merchants: 50,
  customers: 20,
  due: [10_000, 100_000],
  dueOfOne: 10_000,
  answerAfter_ms: 20,
  reads_per_s: 50,
  reads_s: 5,
  notDue: [10_000, 1_000_000],
  dueAmong: 1_000,
  runsAmong: 5,
  cycles: [5, 500],
  invoices: 5,
  reads: 500,
  readsInTurn: 25,
  statistics_ms: 1_500,
};

/** A quick trial of the whole program. Its figures mean nothing. */
export const REHEARSAL: SubscriptionPace = {
  merchants: 3,
  customers: 2,
  due: [20, 60],
  dueOfOne: 70,
  answerAfter_ms: 5,
  reads_per_s: 20,
  reads_s: 0.2,
  notDue: [20, 200],
  dueAmong: 20,
  runsAmong: 2,
  cycles: [2, 20],
  invoices: 2,
  reads: 4,
  readsInTurn: 2,
  statistics_ms: 0,
};
