import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { Client } from 'pg';
import { type Database, openDatabase } from '../../../db/engine/database.ts';
import { analyzeOutgrownTables } from '../../../db/engine/table-statistics.ts';
import { gatherStatistics } from '../../../jobs/maintenance/table-statistics.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { insertBareMerchant } from '../../support/db/bare-rows.ts';
import { until } from '../../support/until.ts';

let database: TestDatabase;
let db: Database;
let client: Client;

before(async () => {
  database = await testDatabase();
  db = openDatabase({ url: database.url, maxConnections: 2 });
  client = new Client(database.url);
  await client.connect();
  // Postgres' own rounds would come between.
  const { rows } = await client.query<{ relname: string }>(
    `select relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
  );
  for (const { relname } of rows)
    await client.query(`alter table ${relname} set (autovacuum_enabled = false)`);
  await client.query('analyze');
});
after(async () => {
  await client.end();
  await db.close();
  await database.drop();
});
beforeEach(() => gatherStatistics({ db }));

/** Adds so many workers, and waits until Postgres has counted them. */
async function addWorkers(count: number): Promise<void> {
  const before = await changes();
  await client.query(
    'insert into worker_heartbeats select gen_random_uuid(), now() from generate_series(1, $1)',
    [count],
  );
  await client.query('select pg_stat_force_next_flush()');
  await until('the rows are counted', async () => (await changes()) === before + count);
}

async function changes(table = 'worker_heartbeats'): Promise<number> {
  const { rows } = await client.query<{ changed: string }>(
    'select n_mod_since_analyze as changed from pg_stat_user_tables where relname = $1',
    [table],
  );
  return Number(rows[0]!.changed);
}

test('a small table is analyzed each time it has doubled, from 50 rows on', async () => {
  await addWorkers(49);
  assert.deepEqual(await analyzeOutgrownTables(db), []);
  await addWorkers(1);
  assert.deepEqual(await analyzeOutgrownTables(db), ['worker_heartbeats']);
  await addWorkers(49);
  assert.deepEqual(await analyzeOutgrownTables(db), []);
  await addWorkers(1);
  assert.deepEqual(await analyzeOutgrownTables(db), ['worker_heartbeats']);
  assert.equal(await changes(), 0);
});

test('a table whose rows are only updated is left to Postgres', async () => {
  await addWorkers(50);
  await gatherStatistics({ db });
  const before = await changes();
  const { rowCount } = await client.query('update worker_heartbeats set seen_at = now()');
  await client.query('select pg_stat_force_next_flush()');
  await until('the updates are counted', async () => (await changes()) === before + rowCount!);
  assert.deepEqual(await analyzeOutgrownTables(db), []);
});

test('a table of which Postgres has forgotten the analysis, as after a crash, is analyzed once', async () => {
  await addWorkers(50);
  await gatherStatistics({ db });
  await client.query(`select pg_stat_reset_single_table_counters('worker_heartbeats'::regclass)`);
  await addWorkers(50);
  assert.deepEqual(await analyzeOutgrownTables(db), ['worker_heartbeats']);
  await addWorkers(50);
  assert.deepEqual(await analyzeOutgrownTables(db), []);
});

test('a large table is left to Postgres', async () => {
  await addWorkers(20_000);
  assert.deepEqual(await analyzeOutgrownTables(db), ['worker_heartbeats']);
  await addWorkers(30_000);
  assert.deepEqual(await analyzeOutgrownTables(db), []);
  await client.query('truncate worker_heartbeats; analyze worker_heartbeats');
});

test('a table that another process analyzes is skipped, without a busy loop', async () => {
  await addWorkers(50);
  const other = new Client(database.url);
  await other.connect();
  await other.query('begin; lock table worker_heartbeats in share update exclusive mode');
  assert.equal(await gatherStatistics({ db }), 0);
  assert.ok((await changes()) > 0);
  await other.end();
});

test('a prepared statement that was planned for an empty table gets a new plan', async () => {
  await client.query('set plan_cache_mode = force_generic_plan');
  await client.query(
    'prepare find (smallint, uuid, uuid) as select 1 from orders where slot = $1 and merchant_id = $2 and id = $3',
  );
  const plan = async () => {
    const { rows } = await client.query(
      `explain execute find (7, '${'0'.repeat(8)}-0000-7000-8000-000000000001', gen_random_uuid())`,
    );
    return rows.map((row) => row['QUERY PLAN']).join('\n');
  };
  const forEmpty = await plan();
  await insertBareMerchant(client);
  await client.query(`
    insert into orders (slot, merchant_id, id, code, customer_id, mcc, amount_centavos, created_at)
    select slot, merchant_id, gen_random_uuid(), n, id, '5734', 100, now() from customers, generate_series(1, 2000) n where name = 'buyer'`);
  await client.query('select pg_stat_force_next_flush()');
  await until('the orders are counted', async () => (await changes('orders')) === 2_000);
  assert.equal(await plan(), forEmpty);
  await gatherStatistics({ db });
  assert.match(await plan(), /using orders_pkey/);
});
