import type { Deps } from '../services/deps.ts';
import { resumeAdvances } from '../services/finish-advance.ts';

/** Goes on with the sandbox clocks whose advance was left on its way; resolves to how many. */
export function runOnce(deps: Deps): Promise<number> {
  return resumeAdvances(deps);
}
