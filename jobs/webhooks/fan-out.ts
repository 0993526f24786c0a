import { merchantsWithOutbox, slotsWithOutbox } from '../../db/events/outbox.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { Deps } from '../../services/deps.ts';
import { fanOut } from '../../services/webhooks/fan-out.ts';
import { type Work, WorkLoop } from '../work-loop.ts';

/** Merchants with events whose deliveries are not created yet. */
export function eventsToFanOut(deps: Deps): Work<MerchantScope> {
  return {
    findSlots: () => slotsWithOutbox(deps.db),
    // Takes no lease: a run takes a lock.
    claim: (slot, claim) => merchantsWithOutbox(deps.db, slot, claim),
    run: async (scope) => (await fanOut(deps, scope)) > 0,
    failure: () => ({ message: 'fanning out events failed' }),
    concurrency: 8,
  };
}

/** Fans out all new events. For tests. */
export async function fanOutEvents(deps: Deps): Promise<void> {
  await new WorkLoop(deps, eventsToFanOut(deps)).runToEnd();
}
