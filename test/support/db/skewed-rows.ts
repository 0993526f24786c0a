import type { Client } from 'pg';
import type { MerchantScope } from '../../../domain/scope.ts';

/** Merchants with a few rows, in all slots. For a table with these rows, a merchant of average size has 6 rows. */
const SMALL_MERCHANTS = 2_000;
const ROWS_OF_SMALL = 1;

/** Columns with a value of their own in each copy, besides `slot` and `merchant_id`: SQL that may use `n`. */
type Own = Readonly<Record<string, string>>;

/**
 * Adds `count` copies of the only row of a table to its merchant, and a copy to each of many small merchants, and
 * analyzes the table. The rows that a copy refers to are missing, for speed.
 */
export async function skewRows(
  client: Client,
  table: string,
  { scope, count, own }: { readonly scope: MerchantScope; readonly count: number; readonly own: Own },
): Promise<void> {
  const { rows } = await client.query<{ column: string }>(
    `select attname as "column" from pg_attribute
      where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    [table],
  );
  const columns = rows.map(({ column }) => column);
  const changed: Own = { slot: 'm.slot', merchant_id: 'm.merchant_id', ...own };
  await client.query('set session_replication_role = replica');
  await client.query(
    `insert into ${table} (${columns.join(', ')})
     select ${columns.map((column) => changed[column] ?? `r.${column}`).join(', ')}
       from ${table} r,
            (select cast($1 as integer) as slot, cast($2 as uuid) as merchant_id, $3 * 1 as many
              union all
             select n % 256, gen_random_uuid(), ${ROWS_OF_SMALL} from generate_series(1, ${SMALL_MERCHANTS}) n) m,
            generate_series(1, m.many) n`,
    [scope.slot, scope.merchantId, count],
  );
  await client.query('set session_replication_role = origin');
  await client.query(`vacuum analyze ${table}`);
}
