import type { TestService } from '../service.ts';
import { until } from '../until.ts';

export interface RowLock extends AsyncDisposable {
  release(): Promise<void>;
}

type LockedTable = 'payments' | 'subscriptions' | 'mandates' | 'cards';

/** Locks the row of a payment, as a worker in its transaction does, until `release` or the end of the test. */
export const lockPaymentRow = (service: TestService, id: string): Promise<RowLock> =>
  lockRow(service, 'payments', id);

/** The same for a row of another table. */
export async function lockRow(service: TestService, table: LockedTable, id: string): Promise<RowLock> {
  const held = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const { merchant_id, slot } = (
    await service.rows<{ merchant_id: string; slot: number }>(
      `select merchant_id, slot from ${table} where id = :id`,
      { id },
    )
  )[0]!;
  const scope = { slot, merchantId: merchant_id };
  const holding = service.deps.db.transaction(scope, async (tx) => {
    // Without the limit that a worker's transaction has.
    const sql = `select set_config('idle_in_transaction_session_timeout', '0', true)
      from ${table} where {scope} and id = :id for update`;
    await tx.one(scope, sql, { id });
    held.resolve();
    await released.promise;
  });
  holding.catch(held.reject);
  await held.promise;
  const release = () => {
    released.resolve();
    return holding;
  };
  return { release, [Symbol.asyncDispose]: release };
}

/** Whether a transaction holds the lock of a row. */
export async function isRowLocked(service: TestService, table: LockedTable, id: string): Promise<boolean> {
  try {
    await service.rows(`select 1 from ${table} where id = :id for no key update nowait`, { id });
    return false;
  } catch (error) {
    const { cause = error } = error as Error;
    if ((cause as { code?: string }).code === '55P03') return true;
    throw error;
  }
}

/** Waits until a statement waits for a lock. */
export function untilBlocked(service: TestService): Promise<void> {
  return until('a statement waits for a lock', async () => {
    const rows = await service.rows(
      "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
    );
    return rows.length > 0;
  });
}
