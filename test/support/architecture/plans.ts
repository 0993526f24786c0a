import type { Client } from 'pg';
import { type Source, withoutComments } from './sources.ts';

const LIST_OF_IDS = /(?<!not \()\b(?:\w+\.)?id = any\s*\(/g;

/** One sentence for each file whose statements look for a list of ids in a way that can read all rows of a merchant. */
export function listsOfIds(sources: readonly Source[]): string[] {
  return sources
    .filter(({ path, text }) => path.startsWith('db/') && withoutComments(text).match(LIST_OF_IDS) !== null)
    .map(
      ({ path }) =>
        `${path} has id = any(…), which can read all rows of a merchant: use rowsById or rowList.`,
    );
}

/** Tables with several rows for a merchant, and what `db/migrations/189-merchants-as-large.sql` gave to each. */
const TABLES = `
  select c.relname as "table",
         coalesce(m.attoptions, '{}') @> '{n_distinct=1}'
           or exists (select from pg_extension where extname = 'citus') as "isLarge",
         exists (select from pg_statistic_ext e
                  where e.stxrelid = c.oid and e.stxkind @> '{f}'
                    and cast(e.stxkeys as smallint[]) @> array[s.attnum, m.attnum]) as "isDependent"
    from pg_class c
    join pg_attribute s on s.attrelid = c.oid and s.attname = 'slot'
    join pg_attribute m on m.attrelid = c.oid and m.attname = 'merchant_id'
    join pg_index i on i.indrelid = c.oid and i.indisprimary
   where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and i.indnkeyatts > 2
     and i.indkey[0] = s.attnum and i.indkey[1] = m.attnum
   order by 1`;

/** One sentence for each table for which Postgres would plan as if each merchant had a row or two. */
export async function smallMerchants(client: Client): Promise<string[]> {
  const { rows } = await client.query<{ table: string; isLarge: boolean; isDependent: boolean }>(TABLES);
  return rows.flatMap(({ table, isLarge, isDependent }) => [
    ...(isLarge ? [] : [`${table} needs: alter column merchant_id set (n_distinct = 1).`]),
    ...(isDependent ? [] : [`${table} needs: create statistics (dependencies) on slot, merchant_id.`]),
  ]);
}
