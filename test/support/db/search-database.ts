import type { Database } from '../../../db/engine/database.ts';

/**
 * Searches the whole database, with the simulator's schema, for these texts, also in byte strings. Returns
 * `table: text` for each find. The texts must be too long to appear by chance.
 */
export async function findInDatabase(db: Database, texts: readonly string[]): Promise<string[]> {
  const tables = await db.anywhere<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
      where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')
      order by 1`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await db.anywhere<{ row: string }>(`select t::text as row from ${name} t`);
    for (const text of texts) {
      const hex = Buffer.from(text).toString('hex');
      if (rows.some(({ row }) => row.includes(text) || row.includes(hex))) found.push(`${name}: ${text}`);
    }
  }
  return found;
}
