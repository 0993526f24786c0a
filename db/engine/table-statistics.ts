import type { Database } from './database.ts';

/** Above so many rows Postgres' own rounds, one a minute, come soon enough. */
const MAX_YOUNG_ROWS = 20_000;
/** A table of fewer rows is read fast by any plan. */
const MIN_CHANGED_ROWS = 50;

/**
 * Gathers the statistics of those of our small tables in which more has changed since that was last done than they held
 * then; resolves to their names. Leaves out tables that are not ours to analyze, or that somebody analyzes now.
 *
 * To the planner a new table has a handful of rows, which any of its indexes finds for the same price; and prepared
 * statements, those of the foreign keys too, keep their plan until the statistics change. Measured on a new database
 * with one merchant: until Postgres came round, an order and its payment took 5 to 30 ms, walking through all those
 * before them by an index on the slot alone; with this, 1 to 2 ms from the first second on.
 */
export async function analyzeOutgrownTables(db: Database): Promise<string[]> {
  const tables = await db.anywhere<{ name: string; statement: string }>(
    `select c.relname as name, format('analyze (skip_locked) %I.%I', s.schemaname, c.relname) as statement
       from pg_stat_user_tables s join pg_class c on c.oid = s.relid
      where s.schemaname = current_schema() and pg_has_role(c.relowner, 'usage') and c.reltuples < :young
        and s.n_mod_since_analyze >= greatest(:least, c.reltuples)
      order by c.relname`,
    { young: MAX_YOUNG_ROWS, least: MIN_CHANGED_ROWS },
  );
  for (const { statement } of tables) await db.anywhere(statement);
  return tables.map(({ name }) => name);
}
