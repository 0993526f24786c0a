import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MERCHANT_TABLES } from '../../jobs/index.ts';
import { testDatabase } from '../support/database.ts';
import { sql } from '../support/db/embedded-postgres.ts';

/** Tables with rows of merchants that a reset of the sandbox leaves. */
const KEPT: Readonly<Record<string, string>> = {
  merchants: 'the account stays',
  api_keys: 'the keys stay',
  wallet_domains: 'the domains stay (contract row 13.22)',
  verified_wallet_domains: 'the domains stay (contract row 13.22)',
  webhook_endpoints: 'the endpoints stay (contract row 13.22)',
  rate_windows: 'a reset must not lift a rate limit',
};

test('a reset of the sandbox empties every table of a merchant, except those listed here', async () => {
  const database = await testDatabase();
  try {
    const rows = await sql(
      database.url,
      `select table_name from information_schema.columns
        where table_schema = 'public' and column_name = 'merchant_id' order by table_name`,
    );
    assert.deepEqual(
      [...MERCHANT_TABLES.map(({ table }) => table), ...Object.keys(KEPT)].sort(),
      rows.map(({ table_name }) => table_name),
    );
  } finally {
    await database.drop();
  }
});
