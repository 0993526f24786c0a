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
    cards: cast.cards.slice(0, 1),
    connections: 32,
    rate: null,
    warmUp_s: pace.warmUp_s,
    seconds: pace.round_s,
  };
}

interface Pair {
  readonly service: Actor;
  readonly baseline: Actor;
}
type Round = Readonly<Record<keyof Pair, Side>>;

/** Both sides of one operation, in turns. Throws when an answer was not what was expected. */
export async function compare(
  cast: Cast,
  loader: Loader,
  scenario: Scenario,
  pace: Pace,
): Promise<Comparison[]> {
  const rounds = new Map<number, Round[]>(CONNECTIONS.map((connections) => [connections, []]));
  for (let turn = 0; turn < pace.pairs; turn += 1) {
    // The first has all of the load that memory is looked at under.
    const pair = turn === 0 ? cast : await newPair(cast);
    await heat(loader, pair, jobOf(cast, scenario, pair.service, pace), pace);
    for (const connections of CONNECTIONS) {
      const job = { ...jobOf(cast, scenario, pair.service, pace), connections };
      rounds.get(connections)!.push(await roundOf(loader, pair, job, turn % 2 === 0));
    }
    if (turn > 0) await Promise.all([pair.service.stop(), pair.baseline.stop()]);
  }
  return CONNECTIONS.map((connections) => {
    const all = rounds.get(connections)!;
    return {
      scenario,
      connections,
      service: middle(all.map((round) => round.service)),
      baseline: middle(all.map((round) => round.baseline)),
      ratio: median(all.map((round) => round.service.perSecond / round.baseline.perSecond)),
    };
  });
}

async function newPair(cast: Cast): Promise<Pair> {
  return { service: await cast.startService(), baseline: await cast.startBaseline() };
}

async function heat(loader: Loader, pair: Pair, job: Job, pace: Pace): Promise<void> {
  for (const { url } of [pair.service, pair.baseline]) {
    await loader.run({ ...job, origin: url, seconds: pace.heat_s });
  }
}

/** Whoever comes second finds the machine warmer: they take turns. */
async function roundOf(loader: Loader, pair: Pair, job: Job, isServiceFirst: boolean): Promise<Round> {
  const side = (actor: Actor) => measure(loader, actor, { ...job, origin: actor.url });
  if (isServiceFirst) return { service: await side(pair.service), baseline: await side(pair.baseline) };
  const baseline = await side(pair.baseline);
  return { service: await side(pair.service), baseline };
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
