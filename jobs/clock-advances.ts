import { advancesToResume } from '../services/clock/finish-advance.ts';
import type { Deps } from '../services/deps.ts';
import { WorkLoop } from '../services/work-loop.ts';

/** Goes on with the sandbox clocks whose advance was left on its way; resolves to how many times it did. */
export async function runOnce(deps: Deps): Promise<number> {
  return (await new WorkLoop(deps, advancesToResume(deps)).runToEnd()).done;
}
