import { listAbandonedAdvances, slotsWithAbandonedAdvances } from '../../db/clock/merchant-clocks.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import { resumeAdvance } from '../../services/clock/finish-advance.ts';
import type { Deps } from '../../services/deps.ts';
import type { Work } from '../work-loop.ts';

/** Each advance uses the simulated acquirer and the database while it runs. */
const CONCURRENCY = 8;

/** Advances of sandbox clocks that no process works on, because their request was answered or its process died. */
export function abandonedAdvances(deps: Deps): Work<MerchantScope> {
  return {
    findSlots: async (wall) => (deps.sandbox === null ? [] : slotsWithAbandonedAdvances(deps.db, wall)),
    // Takes no lease: a run does.
    claim: (slot, claim) => listAbandonedAdvances(deps.db, slot, claim),
    run: (scope) => resumeAdvance(deps, scope),
    failure: () => ({ message: 'advancing a clock failed' }),
    concurrency: CONCURRENCY,
  };
}
