import type { Database } from './database.ts';

/** Throws `DatabaseUnavailable` where the database serves nobody, and not just one merchant whose rows are locked. */
export async function assertServing(db: Database): Promise<void> {
  await db.anywhere('select 1');
}
