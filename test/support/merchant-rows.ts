import type { MoneyService } from './money-service.ts';

/** Tables of rows that belong to merchants, but for the counts of requests: from the catalog, so also those to come. */
async function tablesOfMerchants(service: MoneyService): Promise<string[]> {
  const rows = await service.rows<{ name: string }>(
    `select table_name as name from information_schema.columns
      where table_schema = 'public' and column_name = 'merchant_id' and table_name <> 'rate_windows' order by 1`,
  );
  return rows.map(({ name }) => name);
}

/** How many rows a merchant has in each of them. */
export async function rowsPerTable(service: MoneyService, account: string): Promise<Record<string, number>> {
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
