import type { Database } from './database.ts';
import { DatabaseUnavailable } from './unavailable.ts';

/**
 * Throws `DatabaseUnavailable` when the database does not answer, or is a read-only standby. Does not throw when only
 * rows of one merchant are locked.
 */
export async function assertWritable(db: Database): Promise<void> {
  const [answer] = await db.anywhere<{ is_read_only: boolean }>(
    `select cast(current_setting('transaction_read_only') as boolean) as is_read_only`,
  );
  if (answer!.is_read_only) throw new DatabaseUnavailable(new Error('The database is read-only.'));
}
