import type { MerchantScope } from '../domain/scope.ts';
import type { Deps } from '../services/deps.ts';
import type { Job } from './loop.ts';
import { type Work, WorkLoop } from './work-loop.ts';

/** A job that finds and starts work once in each interval. The work may continue after the interval. */
export function slotJob<Item extends MerchantScope>(
  deps: Pick<Deps, 'db' | 'log' | 'wall'>,
  { name, interval_ms }: Pick<Job, 'name' | 'interval_ms'>,
  work: Work<Item>,
): Job {
  const loop = new WorkLoop(deps, work);
  const runOnce = async () => {
    await loop.round();
    return 0;
  };
  return { name, interval_ms, runOnce, stop: () => loop.stop() };
}
