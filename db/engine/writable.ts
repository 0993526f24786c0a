import type { Database } from './database.ts';
import { DatabaseUnavailable } from './unavailable.ts';

/**
 * Throws `DatabaseUnavailable` where no statement could write: nothing answers, or the server is a standby. Where only
 * the rows of one merchant are locked, it returns.
 */
export async function assertWritable(db: Database): Promise<void> {
  const [answer] = await db.anywhere<{ only_reads: boolean }>(
    `select cast(current_setting('transaction_read_only') as boolean) as only_reads`,
  );
  if (answer!.only_reads) throw new DatabaseUnavailable(new Error('The database only reads.'));
}
