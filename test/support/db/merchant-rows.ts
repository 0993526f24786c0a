import type { TestService } from '../service.ts';

/**
 * Tables with rows of merchants, without the counts of requests. Read from the catalog, so that new tables are found.
 */
async function tablesOfMerchants(service: TestService): Promise<string[]> {
  const rows = await service.rows<{ name: string }>(
    `select table_name as name from information_schema.columns
      where table_schema = 'public' and column_name = 'merchant_id' and table_name <> 'rate_windows' order by 1`,
  );
  return rows.map(({ name }) => name);
}

/** The number of rows of a merchant in each of its tables. */
export async function rowsPerTable(service: TestService, account: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of await tablesOfMerchants(service)) {
    const [row] = await service.rows<{ n: number }>(
      `select count(*) as n from ${table} where merchant_id = :account`,
      { account },
    );
    counts[table] = row!.n;
  }
  return counts;
}
