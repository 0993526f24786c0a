import { merchantsWithOutbox, slotsWithOutbox } from '../../db/events/outbox.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { Deps } from '../../services/deps.ts';
import { fanOut } from '../../services/webhooks/fan-out.ts';
import type { Work } from '../work-loop.ts';

/**
 * Merchants with events whose deliveries are not created yet. `onDue` is called when deliveries of a slot were created.
 */
export function eventsToFanOut(deps: Deps, onDue: (slot: number) => void = () => {}): Work<MerchantScope> {
  return {
    findSlots: () => slotsWithOutbox(deps.db),
    // Takes no lease: a run takes a lock.
    claim: (slot, claim) => merchantsWithOutbox(deps.db, slot, claim),
    run: async (scope) => {
      const { events, deliveries } = await fanOut(deps, scope);
      if (deliveries > 0) onDue(scope.slot);
      return events > 0;
    },
    failure: () => ({ message: 'fanning out events failed' }),
    concurrency: 8,
  };
}
