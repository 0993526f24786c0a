import type { Database } from './database.ts';

/** A larger table is left to autovacuum, which looks once a minute. */
const MAX_ROWS = 20_000;
/** A table of fewer rows is read fast by any plan. */
const MIN_CHANGED_ROWS = 50;

/**
 * Analyzes those of our small tables in which more rows have changed since the last analysis than it counted. Returns
 * their names. Leaves out tables of another owner, and tables that another session analyzes now.
 *
 * The planner takes a new table for one of a handful of rows, which any of its indexes finds at the same cost; and
 * prepared statements, those of the foreign keys too, keep their plan until the statistics change. Measured on a new
 * database with one merchant: until autovacuum came, an order and its payment took 5 to 30 ms, because they walked through
 * all earlier ones by an index on the slot alone; with this, 1 to 2 ms from the first second on.
 *
 * On Citus it does nothing: the coordinator, where it asks, counts no changes of distributed tables. Their shards are left
 * to the autovacuum of each node.
 */
export async function analyzeOutgrownTables(db: Database): Promise<string[]> {
  const tables = await db.anywhere<{ name: string; statement: string }>(
    `select c.relname as name, format('analyze (skip_locked) %I.%I', s.schemaname, c.relname) as statement
       from pg_stat_user_tables s join pg_class c on c.oid = s.relid
      where s.schemaname = current_schema() and pg_has_role(c.relowner, 'usage') and c.reltuples < :max_rows
        and s.n_mod_since_analyze >= greatest(:min_changed, c.reltuples)
        and not exists (select from pg_extension where extname = 'citus')
      order by c.relname`,
    { max_rows: MAX_ROWS, min_changed: MIN_CHANGED_ROWS },
  );
  for (const { statement } of tables) await db.anywhere(statement);
  return tables.map(({ name }) => name);
}
