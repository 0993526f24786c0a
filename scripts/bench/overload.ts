import { assertExpected, jobOf } from './compare.ts';
import type { BenchContext } from './context.ts';
import { settle } from './measure.ts';
import { median } from './pace.ts';
import type { MeasuredProcess } from './processes.ts';
import type { Job, Scenario, Tally } from './scenarios.ts';

/** One side at twice the load that saturates it: medians of the rounds. */
export interface Crowded {
  /** Requests a second at saturation: 32 connections, each waiting for its answer. */
  readonly peak_per_s: number;
  /** Answers a second to twice as many connections, each of which waits for its answer, divided by the peak. */
  readonly doubledRatio: number;
  /** Expected answers a second at twice the peak rate, in an open loop. */
  readonly goodput_per_s: number;
  /** Goodput divided by the peaks measured right before and after it: the median of the rounds. */
  readonly ratio: number;
  readonly refused_per_s: number;
  readonly p99_ms: number;
  /** Latency of refusals, from the time at which the request should have been sent. */
  readonly refused_p50_ms: number;
  readonly refused_p99_ms: number;
}

export interface Overload {
  readonly scenario: Scenario;
  readonly service: Crowded;
  /**
   * The baseline refuses nothing. Its loss is the cost of the larger number of connections, and of the load generator.
   */
  readonly baseline: Crowded;
}

/** Connections at once, more than the service accepts. */
export const CROWD = 512;
const OVERLOAD = 2;
/** Twice the connections that saturate a side. */
export const DOUBLED = 64;

export async function overload(bench: BenchContext, scenario: Scenario): Promise<Overload> {
  const service = await crowded(bench, scenario, bench.setup.service);
  const baseline = await crowded(bench, scenario, bench.setup.baseline);
  if (baseline.refused_per_s > 0) throw new Error(`The baseline refused some of ${scenario}.`);
  return { scenario, service, baseline };
}

/** Four merchants at once, so that the limit of the process is reached, and not the share of one merchant. */
async function crowded(bench: BenchContext, scenario: Scenario, measured: MeasuredProcess): Promise<Crowded> {
  const { setup, loader, pace } = bench;
  const keys = setup.merchants.map((merchant) => merchant.apiKey);
  const { customerIds, cards } = setup;
  const job = { ...jobOf(bench, scenario, measured), keys, customerIds, cards };
  const run = async (more: Partial<Job> = {}) => {
    const tally = await loader.run({ ...job, ...more });
    assertExpected(tally, job);
    return tally;
  };
  const rounds: { peak_per_s: number; doubled: Tally; crowd: Tally }[] = [];
  let before = await run();
  for (let round = 0; round < pace.rounds; round += 1) {
    const doubled = await run({ connections: DOUBLED });
    const rate = before.accepted_per_s * OVERLOAD;
    const crowd = await run({ connections: CROWD, rate, warmUp_s: pace.round_s / 2 });
    // A server that refuses nothing still works on abandoned requests.
    await settle(measured);
    const after = await run();
    rounds.push({ peak_per_s: (before.accepted_per_s + after.accepted_per_s) / 2, doubled, crowd });
    before = after;
  }
  const middle = (value: (round: (typeof rounds)[number]) => number) => median(rounds.map(value));
  return {
    peak_per_s: middle(({ peak_per_s }) => peak_per_s),
    doubledRatio: middle(({ peak_per_s, doubled }) => doubled.accepted_per_s / peak_per_s),
    goodput_per_s: middle(({ crowd }) => crowd.accepted_per_s),
    ratio: middle(({ peak_per_s, crowd }) => crowd.accepted_per_s / peak_per_s),
    refused_per_s: middle(({ crowd }) => crowd.refused_per_s),
    p99_ms: middle(({ crowd }) => crowd.p99_ms),
    refused_p50_ms: middle(({ crowd }) => crowd.refused_p50_ms),
    refused_p99_ms: middle(({ crowd }) => crowd.refused_p99_ms),
  };
}
