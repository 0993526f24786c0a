/** Runs a statement and returns its rows. */
type Query = (sql: string) => Promise<readonly object[]>;

export interface Copies {
  /** Copies of each subscription that is not a copy itself. */
  readonly count: number;
  /** Expressions of the columns that differ. `n` is the number of a copy. */
  readonly changes?: Readonly<Record<string, string>>;
}

/** Inserts copies of subscriptions, without invoices and payments of earlier cycles: many are ready at once. */
export async function copySubscriptions(query: Query, { count, changes = {} }: Copies): Promise<void> {
  const columns = (await query(
    `select column_name as name from information_schema.columns
      where table_schema = current_schema() and table_name = 'subscriptions' order by ordinal_position`,
  )) as { name: string }[];
  const values: Readonly<Record<string, string>> = {
    id: 'gen_random_uuid()',
    code: `'copy ' || n`,
    ...changes,
  };
  await query(
    `insert into subscriptions (${columns.map(({ name }) => name).join(', ')})
     select ${columns.map(({ name }) => values[name] ?? `s.${name}`).join(', ')}
       from subscriptions s, generate_series(1, ${count}) n where s.code not like 'copy %'`,
  );
}
