import type { Cast } from './cast.ts';
import { jobOf } from './compare.ts';
import { type Loader, processorTime_ms } from './measure.ts';
import { median, type Pace } from './pace.ts';
import type { Actor } from './stage.ts';

/** Processor time of one refusal (503), microseconds; null where it is not known. */
export interface RefusalCost {
  readonly service_us: number | null;
  /** Of Node's HTTP server without anything of ours: it cannot be had for less. */
  readonly bare_us: number | null;
}

/** Asks a service that has no room for anybody, and a bare server, in turns. */
export async function refusalCost(cast: Cast, loader: Loader, pace: Pace): Promise<RefusalCost> {
  const service = await cast.startService([], { MAX_IN_FLIGHT: '0' });
  const bare = await cast.stage.start('scripts/bench/bare-refusals.ts');
  for (const actor of [service, bare]) await costOf(cast, loader, actor, pace);
  const costs: RefusalCost[] = [];
  for (let round = 0; round < pace.rounds; round += 1) {
    costs.push({
      service_us: await costOf(cast, loader, service, pace),
      bare_us: await costOf(cast, loader, bare, pace),
    });
  }
  await Promise.all([service.stop(), bare.stop()]);
  const middle = (values: readonly (number | null)[]) =>
    values.some((value) => value === null) ? null : median(values as readonly number[]);
  return {
    service_us: middle(costs.map((cost) => cost.service_us)),
    bare_us: middle(costs.map((cost) => cost.bare_us)),
  };
}

async function costOf(cast: Cast, loader: Loader, actor: Actor, pace: Pace): Promise<number | null> {
  const before_ms = processorTime_ms(actor);
  const job = { ...jobOf(cast, 'getCustomer', actor, pace), warmUp_s: 0 };
  const { refused_per_s, failed, accepted_per_s } = await loader.run(job);
  if (failed + accepted_per_s > 0) throw new Error(`${actor.url} did not refuse every request.`);
  const after_ms = processorTime_ms(actor);
  if (before_ms === null || after_ms === null) return null;
  return ((after_ms - before_ms) * 1000) / (refused_per_s * job.seconds);
}
