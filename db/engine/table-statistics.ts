import type { Database } from './database.ts';

/** Larger tables are left to autovacuum, which checks once a minute. */
const MAX_ROWS = 20_000;
/** With fewer rows, every plan is fast. */
const MIN_ROWS = 50;

/**
 * Analyzes small tables that have twice as many rows as at their last analysis, or more, and those that Postgres does
 * not know to be analyzed, as after a restore or a crash. Returns their names. Skips tables of another owner, and
 * tables that another session analyzes now.
 *
 * Rows that are updated do not count: each session reads the table's definition again after an analysis, and plans all
 * statements of the table again. With one analysis a second, a clock that was advanced by a year took 7 % longer.
 *
 * The planner assumes that a new table has a few rows, so that all indexes cost the same; and prepared statements, also
 * those of foreign keys, keep their plan until the statistics change. Measured on a new database with one merchant:
 * before autovacuum ran, an order and its payment took 5 to 30 ms, because the plans read all earlier orders by an
 * index on the slot; with this function, 1 to 2 ms from the first second.
 *
 * It does nothing on Citus: the coordinator does not count changes of distributed tables. The autovacuum of each node
 * analyzes their shards.
 */
export async function analyzeOutgrownTables(db: Database): Promise<string[]> {
  const tables = await db.anywhere<{ name: string; statement: string }>(
    `select c.relname as name, format('analyze (skip_locked) %I.%I', s.schemaname, c.relname) as statement
       from pg_stat_user_tables s join pg_class c on c.oid = s.relid
      where s.schemaname = current_schema() and pg_has_role(c.relowner, 'usage') and c.reltuples < :max_rows
        and s.n_live_tup >= greatest(:min_rows,
          case when s.last_analyze is null and s.last_autoanalyze is null then 0 else 2 * c.reltuples end)
        and not exists (select from pg_extension where extname = 'citus')
      order by c.relname`,
    { max_rows: MAX_ROWS, min_rows: MIN_ROWS },
  );
  for (const { statement } of tables) await db.anywhere(statement);
  return tables.map(({ name }) => name);
}
