import type { Cast } from './cast.ts';
import { assertExpected, jobOf } from './compare.ts';
import { type Loader, settle } from './measure.ts';
import { median, type Pace } from './pace.ts';
import type { Job, Scenario, Tally } from './scenarios.ts';
import type { Actor } from './stage.ts';

/** One side at twice the load that saturates it: medians of the rounds. */
export interface Crowded {
  /** Requests a second that saturate it: 32 connections, each waiting for its answer. */
  readonly peak_per_s: number;
  /** Answers to twice as many connections, each waiting for its own, over the same peaks as `ratio`. */
  readonly doubledRatio: number;
  /** At twice as many, sent whatever becomes of those before. */
  readonly goodput_per_s: number;
  /** Goodput over the peaks right before and after it: the median of the rounds' own ratios. */
  readonly ratio: number;
  readonly refused_per_s: number;
  readonly p99_ms: number;
  /** Of the refusals, from when a request should have gone out. */
  readonly refused_p50_ms: number;
  readonly refused_p99_ms: number;
}

export interface Overload {
  readonly scenario: Scenario;
  readonly service: Crowded;
  /** It refuses nobody: what it loses, the crowd and the load generator take. */
  readonly baseline: Crowded;
}

/** More than there is room for: so many clients come at once. */
export const CROWD = 512;
const OVERLOAD = 2;
/** Twice as many as saturate a side. */
export const DOUBLED = 64;

export async function overload(
  cast: Cast,
  loader: Loader,
  scenario: Scenario,
  pace: Pace,
): Promise<Overload> {
  const side = (actor: Actor) => crowded(cast, loader, scenario, actor, pace);
  const service = await side(cast.service);
  const baseline = await side(cast.baseline);
  if (baseline.refused_per_s > 0) throw new Error(`The baseline refused some of ${scenario}.`);
  return { scenario, service, baseline };
}

/** Four merchants at once, so that it is the room that fills and not one merchant's share of it. */
async function crowded(
  cast: Cast,
  loader: Loader,
  scenario: Scenario,
  actor: Actor,
  pace: Pace,
): Promise<Crowded> {
  const keys = cast.shops.map((shop) => shop.apiKey);
  const { customerIds, cards } = cast;
  const job = { ...jobOf(cast, scenario, actor, pace), keys, customerIds, cards };
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
    // Whoever refuses nobody still works for those who have left.
    await settle(actor);
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
