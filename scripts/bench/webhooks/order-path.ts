import { assertExpected } from '../compare.ts';
import { processorTime_ms } from '../measure.ts';
import { median } from '../pace.ts';
import type { Job, Scenario, Tally } from '../scenarios.ts';
import { untilDelivered } from './events.ts';
import type { WebhookPace } from './pace.ts';
import { PLAIN, SUBSCRIBED, type WebhookSetup } from './setup.ts';

/** Orders of a merchant. */
export interface OrderLoad {
  readonly perSecond: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  /** Processor time of the process that answers, for one order; null without /proc. */
  readonly processor_us: number | null;
}

/** Orders of a merchant without endpoints, and of one with ten. */
export interface OrderPath {
  readonly scenario: Scenario;
  /** Whether a worker delivers at the same time, on the same machine. */
  readonly isDelivering: boolean;
  readonly plain: OrderLoad;
  readonly subscribed: OrderLoad;
  /** Orders a second, with ten endpoints over none: the median of the rounds' own ratios. */
  readonly ratio: number;
  /** Of each round. */
  readonly ratios: readonly number[];
  /** p50 of the latency, with ten endpoints over none. */
  readonly latencyRatio: number;
}

const SCENARIOS: readonly Scenario[] = ['createOrder', 'createCardOrder'];
const CONNECTIONS = 8;
/** While a worker delivers, orders arrive at this part of the peak rate, as the machine does both. */
const LOAD_WITH_WORKER = 0.05;

/**
 * Measures the peak rate of orders while no worker runs, and then the latency of orders at a low rate while one
 * delivers their events.
 */
export async function orderPaths(setup: WebhookSetup, pace: WebhookPace): Promise<OrderPath[]> {
  const paths: OrderPath[] = [];
  for (const scenario of SCENARIOS) {
    await load(setup, pace, { scenario, merchant: PLAIN, rate: null });
    const atPeak = await compareLoads(setup, pace, scenario, null);
    paths.push(atPeak);
    const worker = await setup.startWorker();
    try {
      await untilDelivered(setup);
      const rate = Math.max(1, atPeak.plain.perSecond * LOAD_WITH_WORKER);
      paths.push(await compareLoads(setup, pace, scenario, rate));
    } finally {
      await worker.stop();
    }
  }
  return paths;
}

/** Both merchants in turns. `rate`: orders a second while a worker runs; null: as many as possible, without one. */
async function compareLoads(
  setup: WebhookSetup,
  pace: WebhookPace,
  scenario: Scenario,
  rate: number | null,
): Promise<OrderPath> {
  const rounds: Record<'plain' | 'subscribed', OrderLoad>[] = [];
  for (let round = 0; round < pace.orderRounds; round += 1) {
    const loadOf = async (merchant: number) => {
      const result = await load(setup, pace, { scenario, merchant, rate });
      if (rate !== null) await untilDelivered(setup);
      return result;
    };
    if (round % 2 === 0) rounds.push({ plain: await loadOf(PLAIN), subscribed: await loadOf(SUBSCRIBED) });
    else rounds.push({ subscribed: await loadOf(SUBSCRIBED), plain: await loadOf(PLAIN) });
  }
  const ratios = rounds.map(({ plain, subscribed }) => subscribed.perSecond / plain.perSecond);
  return {
    scenario,
    isDelivering: rate !== null,
    plain: middle(rounds.map(({ plain }) => plain)),
    subscribed: middle(rounds.map(({ subscribed }) => subscribed)),
    ratio: median(ratios),
    ratios,
    latencyRatio: median(rounds.map(({ plain, subscribed }) => subscribed.p50_ms / plain.p50_ms)),
  };
}

async function load(
  { bench, loader }: WebhookSetup,
  pace: WebhookPace,
  { scenario, merchant, rate }: { scenario: Scenario; merchant: number; rate: number | null },
): Promise<OrderLoad> {
  const job: Job = {
    origin: bench.service.url,
    scenario,
    keys: [bench.merchants[merchant]!.apiKey],
    customerIds: [bench.customerIds[merchant]!],
    cards: [bench.cards[merchant]!],
    connections: CONNECTIONS,
    rate,
    warmUp_s: pace.warmUp_s,
    seconds: pace.orders_s,
  };
  const before = processorTime_ms(bench.service);
  const tally: Tally = await loader.run(job);
  const after = processorTime_ms(bench.service);
  assertExpected(tally, job);
  const orders = tally.accepted_per_s * (job.seconds + job.warmUp_s);
  return {
    perSecond: tally.accepted_per_s,
    p50_ms: tally.p50_ms,
    p99_ms: tally.p99_ms,
    processor_us: before === null || after === null ? null : ((after - before) * 1_000) / orders,
  };
}

function middle(loads: readonly OrderLoad[]): OrderLoad {
  const of = (value: (load: OrderLoad) => number) => median(loads.map(value));
  return {
    perSecond: of((load) => load.perSecond),
    p50_ms: of((load) => load.p50_ms),
    p99_ms: of((load) => load.p99_ms),
    processor_us: loads.some((load) => load.processor_us === null) ? null : of((load) => load.processor_us!),
  };
}
