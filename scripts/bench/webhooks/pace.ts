/** Sizes and repetitions of a run. */
export interface WebhookPace {
  /** Payments of each merchant, and its stored cards. */
  readonly payments: number;
  readonly cards: number;
  /** Deliveries of a round, to ten endpoints. */
  readonly deliveries: number;
  /** Number of rounds. Their median counts. */
  readonly rounds: number;
  /** The same for orders, whose rounds are short and vary more. */
  readonly orderRounds: number;
  /** Receivers that do not answer, and as many that do. */
  readonly receivers: number;
  /** Deliveries of the last 30 days that exist before today's. */
  readonly past: number;
  /** Deliveries whose speed is compared with and without past ones. */
  readonly today: number;
  /** One load of orders, after its warm-up. */
  readonly orders_s: number;
  readonly warmUp_s: number;
  /** Whether one worker runs from the first part to the last. Otherwise each measurement has a new one. */
  readonly keepsWorker: boolean;
}

export const FULL: WebhookPace = {
  payments: 1_000,
  cards: 50,
  deliveries: 100_000,
  rounds: 3,
  orderRounds: 7,
  receivers: 1_000,
  past: 1_000_000,
  today: 20_000,
  orders_s: 5,
  warmUp_s: 1,
  keepsWorker: false,
};

/** A quick trial of the whole program. Its figures mean nothing. */
export const REHEARSAL: WebhookPace = {
  payments: 20,
  cards: 5,
  deliveries: 20,
  rounds: 1,
  orderRounds: 1,
  receivers: 20,
  past: 200,
  today: 20,
  orders_s: 0.2,
  warmUp_s: 0,
  keepsWorker: true,
};
