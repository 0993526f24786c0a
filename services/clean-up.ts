import { deleteExpired, type ExpiringTable, usedSlots } from '../db/clean-up.ts';
import type { Deps } from './deps.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const BATCH = 1_000;

/** How long past their time rows stay. Idempotency keys name their own time. */
const KEPT_MS: Readonly<Record<ExpiringTable, number>> = {
  idempotency_keys: 0,
  acquirer_notifications: 90 * DAY_MS,
  rate_windows: 5 * MINUTE_MS,
};

/** Deletes what has had its time. Resolves to how many rows went. */
export async function cleanUp(deps: Deps): Promise<number> {
  let deleted = 0;
  for (const slot of await usedSlots(deps.db)) {
    for (const [table, kept_ms] of Object.entries(KEPT_MS) as [ExpiringTable, number][]) {
      const before = new Date(deps.wall().getTime() - kept_ms);
      let batch: number;
      do {
        batch = await deleteExpired(deps.db, table, slot, before, BATCH);
        deleted += batch;
      } while (batch === BATCH);
    }
  }
  return deleted;
}
