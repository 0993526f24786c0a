import type { Cast } from './cast.ts';
import { type Loader, processorTime_ms } from './measure.ts';
import { median, type Pace } from './pace.ts';
import type { Job, Scenario, Tally } from './scenarios.ts';
import type { Actor } from './stage.ts';

export const CONNECTIONS = [1, 8, 32] as const;

/** One side at one number of connections: medians of the rounds. */
export interface Side {
  readonly perSecond: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  /** Processor time of the process for one request, microseconds; null where it is not known. */
  readonly processor_us: number | null;
}

export interface Comparison {
  readonly scenario: Scenario;
  readonly connections: number;
  readonly service: Side;
  readonly baseline: Side;
  /** Requests a second, service over baseline: the median of the rounds' own ratios. */
  readonly ratio: number;
}

/** The job of a scenario for the first shop alone, as one merchant calls. */
export function jobOf(cast: Cast, scenario: Scenario, actor: Actor, pace: Pace): Job {
  return {
    origin: actor.url,
    scenario,
    keys: [cast.shops[0]!.apiKey],
    customerIds: cast.customerIds.slice(0, 1),
    connections: 32,
    rate: null,
    warmUp_s: pace.warmUp_s,
    seconds: pace.round_s,
  };
}

/** Both sides of one operation, in turns. Throws when an answer was not what was expected. */
export async function compare(
  cast: Cast,
  loader: Loader,
  scenario: Scenario,
  pace: Pace,
): Promise<Comparison[]> {
  const { service, baseline } = cast;
  for (const actor of [service, baseline]) {
    await loader.run({ ...jobOf(cast, scenario, actor, pace), seconds: pace.heat_s });
  }
  const comparisons: Comparison[] = [];
  for (const connections of CONNECTIONS) {
    const rounds: { service: Side; baseline: Side }[] = [];
    for (let round = 0; round < pace.rounds; round += 1) {
      const side = (actor: Actor) =>
        measure(loader, actor, { ...jobOf(cast, scenario, actor, pace), connections });
      // Whoever comes second finds the machine warmer: they take turns.
      if (round % 2 === 0) rounds.push({ service: await side(service), baseline: await side(baseline) });
      else {
        const second = await side(baseline);
        rounds.push({ service: await side(service), baseline: second });
      }
    }
    comparisons.push({
      scenario,
      connections,
      service: middle(rounds.map((round) => round.service)),
      baseline: middle(rounds.map((round) => round.baseline)),
      ratio: median(rounds.map((round) => round.service.perSecond / round.baseline.perSecond)),
    });
  }
  return comparisons;
}

async function measure(loader: Loader, actor: Actor, job: Job): Promise<Side> {
  const before = processorTime_ms(actor);
  const tally = await loader.run(job);
  const after = processorTime_ms(actor);
  assertExpected(tally, job);
  const requests = tally.accepted_per_s * (job.seconds + job.warmUp_s);
  const used_ms = before === null || after === null ? null : after - before;
  return {
    perSecond: tally.accepted_per_s,
    p50_ms: tally.p50_ms,
    p99_ms: tally.p99_ms,
    processor_us: used_ms === null ? null : (used_ms * 1000) / requests,
  };
}

/** A server that fails is fast: its figures would be worth nothing. */
export function assertExpected(tally: Tally, { scenario, origin }: Job): void {
  if (tally.failed > 0)
    throw new Error(`${tally.failed} answers of ${origin} to ${scenario} were not as expected.`);
}

function middle(sides: readonly Side[]): Side {
  const of = (value: (side: Side) => number) => median(sides.map(value));
  return {
    perSecond: of((side) => side.perSecond),
    p50_ms: of((side) => side.p50_ms),
    p99_ms: of((side) => side.p99_ms),
    processor_us: sides.some((side) => side.processor_us === null) ? null : of((side) => side.processor_us!),
  };
}
