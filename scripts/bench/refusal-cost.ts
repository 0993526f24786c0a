import { jobOf } from './compare.ts';
import type { BenchContext } from './context.ts';
import { processorTime_ms } from './measure.ts';
import { CROWD, type Crowded } from './overload.ts';
import { median } from './pace.ts';
import type { MeasuredProcess } from './processes.ts';

/** Shares of one processor that refusals (503) of requests without a body take. Null when unknown. */
export interface RefusalCost {
  readonly service: number | null;
  /** The same for Node's HTTP server alone. */
  readonly bare: number | null;
}

/**
 * The part of the peak p that can remain at twice its load, if a refusal costs no more than in a bare server. Null when
 * unknown. With g answers and 2p − g refusals a second, and a refusal that costs c times an answer, the thread is full
 * when g + c(2p − g) = p. The result is g / p. It can be more if the peak does not fill the thread.
 */
export function mostOfPeak({ peak_per_s, refused_per_s }: Crowded, { bare }: RefusalCost): number | null {
  if (bare === null || refused_per_s === 0) return null;
  const cost = (bare / refused_per_s) * peak_per_s;
  return cost >= 1 / 2 ? 0 : (1 - 2 * cost) / (1 - cost);
}

/**
 * Sends requests to a service that refuses all, and to a bare server, in turns, at each of the rates (requests a
 * second).
 */
export async function refusalCosts(bench: BenchContext, rates: readonly number[]): Promise<RefusalCost[]> {
  const { setup, pace } = bench;
  const service = await setup.startService([], 'scripts/bench/full-service.ts');
  const bare = await setup.environment.start('scripts/bench/bare-refusals.ts');
  const partOf = (measured: MeasuredProcess, rate: number) => partOfProcessor(bench, measured, rate);
  for (const measured of [service, bare]) await partOf(measured, Math.max(...rates));
  const costs: RefusalCost[] = [];
  for (const rate of rates) {
    const rounds: RefusalCost[] = [];
    for (let round = 0; round < pace.rounds; round += 1) {
      rounds.push({ service: await partOf(service, rate), bare: await partOf(bare, rate) });
    }
    costs.push({
      service: middle(rounds.map((round) => round.service)),
      bare: middle(rounds.map((round) => round.bare)),
    });
  }
  await Promise.all([service.stop(), bare.stop()]);
  return costs;
}

async function partOfProcessor(
  bench: BenchContext,
  measured: MeasuredProcess,
  rate: number,
): Promise<number | null> {
  const job = { ...jobOf(bench, 'getCustomer', measured), connections: CROWD, rate, warmUp_s: 0 };
  const before_ms = processorTime_ms(measured);
  const { failed, accepted_per_s, refused_per_s } = await bench.loader.run(job);
  const after_ms = processorTime_ms(measured);
  if (failed + accepted_per_s > 0) throw new Error(`${measured.url} did not refuse every request.`);
  if (before_ms === null || after_ms === null || refused_per_s === 0) return null;
  return ((after_ms - before_ms) / 1000 / (refused_per_s * job.seconds)) * rate;
}

function middle(parts: readonly (number | null)[]): number | null {
  return parts.some((part) => part === null) ? null : median(parts as readonly number[]);
}
