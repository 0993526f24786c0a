/** Sizes and repetitions of a run. */
export interface WebhookPace {
  /** Deliveries of a round, to ten endpoints. */
  readonly deliveries: number;
  /** Number of rounds. Their median counts. */
  readonly rounds: number;
  /** Receivers that do not answer, and as many that do. */
  readonly receivers: number;
  /** Deliveries of the last 30 days that exist before today's. */
  readonly past: number;
  /** Deliveries whose speed is compared with and without past ones. */
  readonly today: number;
  /** One load of orders, after its warm-up. */
  readonly orders_s: number;
  readonly warmUp_s: number;
}

export const FULL: WebhookPace = {
  deliveries: 100_000,
  rounds: 3,
  receivers: 1_000,
  past: 1_000_000,
  today: 20_000,
  orders_s: 5,
  warmUp_s: 1,
};

/** A quick trial of the whole program. Its figures mean nothing. */
export const REHEARSAL: WebhookPace = {
  deliveries: 100,
  rounds: 1,
  receivers: 20,
  past: 1_000,
  today: 100,
  orders_s: 0.2,
  warmUp_s: 0,
};
