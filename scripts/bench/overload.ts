import type { Cast } from './cast.ts';
import { assertExpected, jobOf } from './compare.ts';
import type { Loader } from './measure.ts';
import { median, type Pace } from './pace.ts';
import type { Scenario, Tally } from './scenarios.ts';

/** Medians of the rounds. */
export interface Overload {
  readonly scenario: Scenario;
  /** Requests a second that saturate the service: 32 connections, each waiting for its answer. */
  readonly peak_per_s: number;
  /** At twice as many, sent whatever becomes of those before. */
  readonly goodput_per_s: number;
  /** Goodput over the peak right before it: the median of the rounds' own ratios. */
  readonly ratio: number;
  readonly refused_per_s: number;
  readonly p99_ms: number;
  /** Of the refusals, from when a request should have gone out. */
  readonly refused_p99_ms: number;
}

/** More than there is room for: so many clients come at once. */
const CROWD = 512;
const OVERLOAD = 2;

/** Four merchants at once, so that it is the room that fills and not one merchant's share of it. */
export async function overload(
  cast: Cast,
  loader: Loader,
  scenario: Scenario,
  pace: Pace,
): Promise<Overload> {
  const job = {
    ...jobOf(cast, scenario, cast.service, pace),
    keys: cast.shops.map((shop) => shop.apiKey),
    customerIds: cast.customerIds,
  };
  const rounds: { peak_per_s: number; crowd: Tally }[] = [];
  for (let round = 0; round < pace.rounds; round += 1) {
    const peak = await loader.run(job);
    assertExpected(peak, job);
    const rate = peak.accepted_per_s * OVERLOAD;
    const crowd = await loader.run({ ...job, connections: CROWD, rate, warmUp_s: pace.round_s / 2 });
    assertExpected(crowd, job);
    rounds.push({ peak_per_s: peak.accepted_per_s, crowd });
  }
  const middle = (value: (round: (typeof rounds)[number]) => number) => median(rounds.map(value));
  return {
    scenario,
    peak_per_s: middle(({ peak_per_s }) => peak_per_s),
    goodput_per_s: middle(({ crowd }) => crowd.accepted_per_s),
    ratio: middle(({ peak_per_s, crowd }) => crowd.accepted_per_s / peak_per_s),
    refused_per_s: middle(({ crowd }) => crowd.refused_per_s),
    p99_ms: middle(({ crowd }) => crowd.p99_ms),
    refused_p99_ms: middle(({ crowd }) => crowd.refused_p99_ms),
  };
}
