import { markExpiredLinks } from '../../db/links/expired-links.ts';
import { usedSlots } from '../../db/merchants/used-slots.ts';
import { MINUTE_MS } from '../../domain/durations.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { Deps } from '../../services/deps.ts';
import { batchWork, type Work } from '../work-loop.ts';

/** A link that is marked has expired for every process: their clocks differ by less. */
const MARKED_AFTER_MS = MINUTE_MS;

/** Links that have expired and are not marked. */
export function expiredLinks({ db }: Pick<Deps, 'db'>): Work<MerchantScope> {
  return batchWork({
    findSlots: () => usedSlots(db),
    claim: (slot, { wall, limit }) =>
      markExpiredLinks(db, slot, { before: new Date(wall.getTime() - MARKED_AFTER_MS), limit }),
    failure: () => ({ message: 'marking expired links failed' }),
  });
}
