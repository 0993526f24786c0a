import type { Cast } from './cast.ts';
import { assertExpected, jobOf } from './compare.ts';
import type { Loader } from './measure.ts';
import type { Pace } from './pace.ts';
import type { Scenario } from './scenarios.ts';

export interface Overload {
  readonly scenario: Scenario;
  /** Requests a second that saturate the service: 32 connections, each waiting for its answer. */
  readonly peak_per_s: number;
  /** At twice as many, sent whatever becomes of those before. */
  readonly goodput_per_s: number;
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
    seconds: pace.round_s * 2,
  };
  const peak = await loader.run(job);
  assertExpected(peak, job);
  const crowded = {
    ...job,
    connections: CROWD,
    rate: peak.accepted_per_s * OVERLOAD,
    warmUp_s: pace.round_s / 2,
  };
  const tally = await loader.run(crowded);
  assertExpected(tally, job);
  return {
    scenario,
    peak_per_s: peak.accepted_per_s,
    goodput_per_s: tally.accepted_per_s,
    refused_per_s: tally.refused_per_s,
    p99_ms: tally.p99_ms,
    refused_p99_ms: tally.refused_p99_ms,
  };
}
