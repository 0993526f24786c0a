import { deleteExpired, type ExpiringTable, usedSlots } from '../../db/clean-up.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { Deps } from '../deps.ts';
import type { Work } from '../work-loop.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const BATCH = 1_000;

/** How long past their time rows stay. Idempotency keys name their own time. */
const KEPT_MS: Readonly<Record<ExpiringTable, number>> = {
  idempotency_keys: 0,
  acquirer_notifications: 90 * DAY_MS,
  rate_windows: 5 * MINUTE_MS,
};

/** Rows that have had their time. One statement deletes a batch of each table: their claim. */
export function rowsToDelete(deps: Pick<Deps, 'db' | 'wall'>): Work<MerchantScope> {
  return {
    findSlots: () => usedSlots(deps.db),
    claim: async (slot, { limit }) => {
      const deleted: MerchantScope[] = [];
      for (const [table, kept_ms] of Object.entries(KEPT_MS) as [ExpiringTable, number][]) {
        const before = new Date(deps.wall().getTime() - kept_ms);
        deleted.push(...(await deleteExpired(deps.db, table, slot, before, limit)));
      }
      return deleted;
    },
    run: async () => true,
    failure: () => ({ message: 'deleting old rows failed' }),
    firstBatch: BATCH,
    batch: BATCH,
    concurrency: BATCH,
  };
}
