import type { Database } from './database.ts';
import { DatabaseUnavailable } from './unavailable.ts';

/** Throws `DatabaseUnavailable` where the database writes for nobody, and not just for one merchant whose rows are locked. */
export async function assertServing(db: Database): Promise<void> {
  const [answer] = await db.anywhere<{ only_reads: boolean }>(
    `select cast(current_setting('transaction_read_only') as boolean) as only_reads`,
  );
  if (answer!.only_reads) throw new DatabaseUnavailable(new Error('The database only reads.'));
}
