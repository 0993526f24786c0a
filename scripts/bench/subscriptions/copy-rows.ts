import type pg from 'pg';

/** Copies of rows of a table. */
export interface Copies {
  readonly table: string;
  /** What follows the table, whose alias is `t`: `, generate_series(1, $1) n where …`. */
  readonly source: string;
  /** Expressions of the columns that differ. */
  readonly changes: Readonly<Record<string, string>>;
  readonly params: readonly unknown[];
}

const columnsOf = new Map<string, readonly string[]>();

/** Inserts copies of rows, so that the bench does not have to list all columns of a table. */
export async function copyRows(pool: pg.Pool, { table, source, changes, params }: Copies): Promise<void> {
  const columns = columnsOf.get(table) ?? (await readColumns(pool, table));
  columnsOf.set(table, columns);
  const values = columns.map((column) => changes[column] ?? `t.${column}`);
  await pool.query(
    `insert into ${table} (${columns.join(', ')}) select ${values.join(', ')} from ${table} t ${source}`,
    [...params],
  );
}

async function readColumns(pool: pg.Pool, table: string): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select column_name as name from information_schema.columns
      where table_schema = current_schema() and table_name = $1 and is_generated = 'NEVER' order by ordinal_position`,
    [table],
  );
  return rows.map(({ name }) => name);
}
