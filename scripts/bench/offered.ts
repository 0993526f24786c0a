import { assertExpected, CONNECTIONS, jobOf } from './compare.ts';
import type { BenchContext } from './context.ts';
import { median } from './pace.ts';
import type { Tally } from './scenarios.ts';

/** What a large shop has on its busiest day. */
const ORDERS_PER_S = 250;
/** More than can be open at that rate while each order takes less than a second. */
const OPEN_CONNECTIONS = 256;

/** Orders by card of four merchants at a fixed rate, whether or not earlier ones are answered. */
export interface OfferedOrders {
  readonly rate_per_s: number;
  readonly tally: Tally;
}

/** Checkout pages, each requested after the answer to the one before on its connection. */
export interface RenderedPages {
  readonly connections: number;
  readonly perSecond: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
}

/**
 * Offers orders for a minute: 250 a second or, on a machine that is too slow for that, as many as it answered in the
 * minute before at 32 connections.
 */
export async function offeredOrders(bench: BenchContext): Promise<OfferedOrders> {
  const { setup, loader, pace } = bench;
  const job = {
    ...jobOf(bench, 'createCardOrder', setup.service),
    keys: setup.merchants.map(({ apiKey }) => apiKey),
    customerIds: setup.customerIds,
    cards: setup.cards,
  };
  await loader.run({ ...job, seconds: pace.heat_s });
  // As long as the orders are offered: in a few seconds, neither checkpoints nor vacuum of Postgres take their part.
  const heavy = { ...job, seconds: pace.offered_s };
  const peak = await loader.run(heavy);
  assertExpected(peak, heavy);
  const rate_per_s = Math.max(1, Math.min(ORDERS_PER_S, Math.floor(peak.accepted_per_s)));
  const offered = { ...job, rate: rate_per_s, connections: OPEN_CONNECTIONS, seconds: pace.offered_s };
  const tally = await loader.run(offered);
  assertExpected(tally, offered);
  return { rate_per_s, tally };
}

/** Checkout pages a second, with data and HTML, at each number of connections: medians of the rounds. */
export async function renderedPages(bench: BenchContext): Promise<RenderedPages[]> {
  const { setup, loader, pace } = bench;
  const job = jobOf(bench, 'showCheckoutPage', setup.service);
  await loader.run({ ...job, seconds: pace.heat_s });
  const pages: RenderedPages[] = [];
  for (const connections of CONNECTIONS) {
    const tallies: Tally[] = [];
    for (let round = 0; round < pace.rounds; round += 1) {
      const tally = await loader.run({ ...job, connections });
      assertExpected(tally, job);
      tallies.push(tally);
    }
    const middle = (value: (tally: Tally) => number) => median(tallies.map(value));
    pages.push({
      connections,
      perSecond: middle((tally) => tally.accepted_per_s),
      p50_ms: middle((tally) => tally.p50_ms),
      p99_ms: middle((tally) => tally.p99_ms),
    });
  }
  return pages;
}
