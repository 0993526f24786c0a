import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Database, openDatabase } from '../../../db/engine/database.ts';
import { isOnlyMerchant } from '../../../db/merchants/merchants.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { sql } from '../../support/db/embedded-postgres.ts';
import { until } from '../../support/until.ts';

const OURS = { slot: 7, merchantId: '00000000-0000-7000-8000-000000000001' };
const THEIRS = { slot: 8, merchantId: '00000000-0000-7000-8000-000000000002' };

let database: TestDatabase;
let db: Database;
before(async () => {
  database = await testDatabase();
  db = openDatabase({ url: database.url });
});
after(async () => {
  await db.close();
  await database.drop();
});

const waiting = async () =>
  (
    await sql(
      database.url,
      `select 1 from pg_stat_activity where datname = current_database() and wait_event = 'advisory'`,
    )
  ).length;

test('transactions that check it run one after another, although table merchants has no row to lock', async () => {
  const held = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const first = db.transaction(OURS, async (tx) => {
    assert.equal(await isOnlyMerchant(tx, OURS), true);
    held.resolve();
    await released.promise;
  });
  await held.promise;
  const second = db.transaction(THEIRS, (tx) => isOnlyMerchant(tx, THEIRS));
  await until('the second waits', async () => (await waiting()) === 1);
  released.resolve();
  await first;
  assert.equal(await second, true);
});
