import type { Tx } from './database.ts';

/**
 * Limits how long each later statement of a transaction waits for a lock: 10 s otherwise. On Citus, it has no effect on
 * locks of other nodes.
 */
export async function limitLockWait(tx: Tx, timeout_ms: number): Promise<void> {
  const limit = { timeout: `${timeout_ms}ms` };
  await tx.anywhere("select set_config('lock_timeout', :timeout, true)", limit);
}
