import type { BenchContext } from './context.ts';
import { type Loader, processorTime_ms } from './measure.ts';
import { median, type Pace } from './pace.ts';
import type { MeasuredProcess } from './processes.ts';
import type { Job, Scenario, Tally } from './scenarios.ts';
import type { BenchSetup } from './setup.ts';

export const CONNECTIONS = [1, 8, 32] as const;

/** One side at one number of connections: medians of the rounds. */
export interface Side {
  readonly perSecond: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  /** Processor time of the process for one request, microseconds; null when unknown. */
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

/** The job of a scenario with the requests of the first merchant only. */
export function jobOf(
  { setup, pace }: Pick<BenchContext, 'setup' | 'pace'>,
  scenario: Scenario,
  measured: MeasuredProcess,
): Job {
  return {
    origin: measured.url,
    scenario,
    keys: [setup.merchants[0]!.apiKey],
    customerIds: setup.customerIds.slice(0, 1),
    cards: setup.cards.slice(0, 1),
    links: setup.links.slice(0, 1),
    connections: 32,
    rate: null,
    warmUp_s: pace.warmUp_s,
    seconds: pace.round_s,
  };
}

interface Pair {
  readonly service: MeasuredProcess;
  readonly baseline: MeasuredProcess;
}
type Round = Readonly<Record<keyof Pair, Side>>;

/** Measures both sides of one operation in turns. Throws on an unexpected answer. */
export async function compare(bench: BenchContext, scenario: Scenario): Promise<Comparison[]> {
  const { setup, loader, pace } = bench;
  const rounds = new Map<number, Round[]>(CONNECTIONS.map((connections) => [connections, []]));
  for (let turn = 0; turn < pace.pairs; turn += 1) {
    // The first pair runs for all operations, because memory is measured after the whole load.
    const pair = turn === 0 ? setup : await newPair(setup);
    await heat(loader, pair, jobOf(bench, scenario, pair.service), pace);
    for (const connections of CONNECTIONS) {
      const job = { ...jobOf(bench, scenario, pair.service), connections };
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

async function newPair(setup: BenchSetup): Promise<Pair> {
  return { service: await setup.startService(), baseline: await setup.startBaseline() };
}

async function heat(loader: Loader, pair: Pair, job: Job, pace: Pace): Promise<void> {
  for (const { url } of [pair.service, pair.baseline]) {
    await loader.run({ ...job, origin: url, seconds: pace.heat_s });
  }
}

/** The sides alternate in being first: the machine is warmer for the second one. */
async function roundOf(loader: Loader, pair: Pair, job: Job, isServiceFirst: boolean): Promise<Round> {
  const side = (measured: MeasuredProcess) => measure(loader, measured, { ...job, origin: measured.url });
  if (isServiceFirst) return { service: await side(pair.service), baseline: await side(pair.baseline) };
  const baseline = await side(pair.baseline);
  return { service: await side(pair.service), baseline };
}

async function measure(loader: Loader, measured: MeasuredProcess, job: Job): Promise<Side> {
  const before = processorTime_ms(measured);
  const tally = await loader.run(job);
  const after = processorTime_ms(measured);
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

/** Throws when requests failed: errors are fast, and the figures would mean nothing. */
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
