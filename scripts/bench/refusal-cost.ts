import type { Cast } from './cast.ts';
import { jobOf } from './compare.ts';
import { type Loader, processorTime_ms } from './measure.ts';
import { CROWD, type Crowded } from './overload.ts';
import { median, type Pace } from './pace.ts';
import type { Actor } from './stage.ts';

/** Parts of one processor that refusals (503) of requests without a body take; null where they are not known. */
export interface RefusalCost {
  readonly service: number | null;
  /** Of Node's HTTP server without anything of ours. */
  readonly bare: number | null;
}

/**
 * What is left of the peak at twice its load where refusals cost no more than a bare server's; null where that is not known.
 * Served and refused share a thread, and the peak fills it: with c, what a refusal costs over what an answer costs,
 * g + c(2p − g) = p. A peak that does not fill it leaves more.
 */
export function mostOfPeak({ peak_per_s, refused_per_s }: Crowded, { bare }: RefusalCost): number | null {
  if (bare === null || refused_per_s === 0) return null;
  const cost = (bare / refused_per_s) * peak_per_s;
  return cost >= 1 / 2 ? 0 : (1 - 2 * cost) / (1 - cost);
}

/** Asks a service that has no room for anybody, and a bare server, in turns: at each of the rates, requests a second. */
export async function refusalCosts(
  cast: Cast,
  loader: Loader,
  rates: readonly number[],
  pace: Pace,
): Promise<RefusalCost[]> {
  const service = await cast.startService([], 'scripts/bench/full-service.ts');
  const bare = await cast.stage.start('scripts/bench/bare-refusals.ts');
  const partOf = (actor: Actor, rate: number) => partOfProcessor(cast, loader, actor, rate, pace);
  for (const actor of [service, bare]) await partOf(actor, Math.max(...rates));
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
  cast: Cast,
  loader: Loader,
  actor: Actor,
  rate: number,
  pace: Pace,
): Promise<number | null> {
  const job = { ...jobOf(cast, 'getCustomer', actor, pace), connections: CROWD, rate, warmUp_s: 0 };
  const before_ms = processorTime_ms(actor);
  const { failed, accepted_per_s, refused_per_s } = await loader.run(job);
  const after_ms = processorTime_ms(actor);
  if (failed + accepted_per_s > 0) throw new Error(`${actor.url} did not refuse every request.`);
  if (before_ms === null || after_ms === null || refused_per_s === 0) return null;
  return ((after_ms - before_ms) / 1000 / (refused_per_s * job.seconds)) * rate;
}

function middle(parts: readonly (number | null)[]): number | null {
  return parts.some((part) => part === null) ? null : median(parts as readonly number[]);
}
