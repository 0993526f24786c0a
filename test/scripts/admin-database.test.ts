/** Citus is not in the lock file. A fake checks the calls of `database distribute` and records them. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { distributeTables } from '../../db/engine/distribute.ts';
import { migrate } from '../../db/engine/migrate.ts';
import { analyzeOutgrownTables } from '../../db/engine/table-statistics.ts';
import { sql } from '../support/db/embedded-postgres.ts';
import { distributionCalls, installFakeCitus } from '../support/db/fake-citus.ts';
import { type AdminDatabase, adminDatabase } from './support/admin-database.ts';

interface Distribution {
  readonly citus_version: string;
  readonly distributed: readonly string[];
  readonly unchanged: readonly string[];
  readonly local: readonly string[];
}

let admin: AdminDatabase;
before(async () => {
  admin = await adminDatabase();
});
after(() => admin.remove());

const url = () => admin.env.DATABASE_URL!;
const distribute = () => admin.json<Distribution>('database', 'distribute');

/** Tables with a slot, by the catalog. */
async function slotTables(): Promise<string[]> {
  const rows = await sql(
    url(),
    `select table_name from information_schema.columns
      where table_schema = 'public' and column_name = 'slot' order by table_name`,
  );
  return rows.map(({ table_name }) => table_name as string);
}

test('database distribute says in one sentence that there is no Citus, and changes nothing', async () => {
  await admin.refused(['database', 'distribute'], /^The database has no Citus: [^\n]+\.$/);
});

describe('database distribute on a database with Citus', () => {
  before(async () => {
    await sql(
      url(),
      `create table unrelated (id int primary key);
       create table aaa_first_by_name (slot smallint, merchant_id uuid, id uuid, primary key (slot, merchant_id, id),
         foreign key (slot, merchant_id, id) references orders (slot, merchant_id, id));
       create table events_102008 (slot smallint)`,
    );
    await installFakeCitus(url());
    await sql(url(), `insert into stand_in_citus.known_shards values ('events_102008')`);
  });

  test('distributes every table with a slot, colocated with merchants and after the tables that it refers to', async () => {
    const wanted = (await slotTables()).filter((name) => name !== 'events_102008');
    assert.ok(wanted.length >= 20);
    const { citus_version, distributed, unchanged, local } = await distribute();
    assert.equal(citus_version, '13.0-1');
    assert.deepEqual([...distributed].sort(), wanted);
    assert.deepEqual(unchanged, []);
    assert.deepEqual(local, [
      'database_environment',
      'pepper_check',
      'schema_migrations',
      'unrelated',
      'vault_keys',
      'worker_heartbeats',
    ]);
    // The fake refuses a table that refers to one which is not distributed yet.
    const calls = await distributionCalls(url());
    assert.deepEqual(
      calls.map(({ name }) => name),
      distributed,
    );
    assert.deepEqual(calls[0], {
      name: 'merchants',
      distribution_column: 'slot',
      colocate_with: 'default',
    });
    for (const call of calls.slice(1)) {
      assert.deepEqual([call.distribution_column, call.colocate_with], ['slot', 'merchants']);
    }
  });

  test('reports that there is nothing to do the second time', async () => {
    const before = await distributionCalls(url());
    const { stdout } = await admin.run('database', 'distribute');
    assert.match(
      stdout,
      /^All tables with a slot were distributed before\. Statistics of distributed tables /,
    );
    assert.deepEqual(await distributionCalls(url()), before);
  });

  test('distributes tables that were added later', async () => {
    await sql(
      url(),
      `create table added (slot smallint, merchant_id uuid, id uuid, primary key (slot, merchant_id, id),
         foreign key (slot, merchant_id) references merchants (slot, merchant_id))`,
    );
    const { distributed, unchanged } = await distributeTables(url());
    assert.deepEqual(distributed, ['added']);
    assert.ok(unchanged.includes('merchants') && unchanged.includes('payments'));
  });

  test('leaves nothing to do after a migration, which distributes the tables that it adds', async () => {
    // Back to the time before this migration, which creates a table that belongs to merchants.
    await sql(
      url(),
      `delete from stand_in_citus.pg_dist_partition where logicalrelid = 'discrepancies'::regclass;
       drop table discrepancies;
       alter table acquirer_notifications drop column waiting_since;
       delete from schema_migrations where name = '013-discrepancies.sql'`,
    );
    const lines: string[] = [];
    await migrate(url(), 'sandbox', (line) => lines.push(line));
    assert.deepEqual(lines, ['applied migration 013-discrepancies.sql', 'distributed table discrepancies']);
    assert.equal((await distributionCalls(url())).at(-1)!.name, 'discrepancies');
    assert.deepEqual((await distribute()).distributed, []);
  });

  test('is completed by the next migration if an earlier one ended before its tables were distributed', async () => {
    await sql(
      url(),
      `create table left_over (slot smallint, merchant_id uuid, id uuid, primary key (slot, merchant_id, id),
         foreign key (slot, merchant_id) references merchants (slot, merchant_id))`,
    );
    const lines: string[] = [];
    await migrate(url(), 'sandbox', (line) => lines.push(line));
    assert.deepEqual(lines, ['distributed table left_over']);
  });

  test('leaves statistics to autovacuum', async () => {
    await sql(
      url(),
      `alter table worker_heartbeats set (autovacuum_enabled = false);
       insert into worker_heartbeats select gen_random_uuid(), now() from generate_series(1, 100);
       select pg_stat_force_next_flush()`,
    );
    assert.deepEqual(await analyzeOutgrownTables(admin.db), []);
    await sql(url(), `set allow_system_table_mods = on; delete from pg_extension where extname = 'citus'`);
    assert.deepEqual(await analyzeOutgrownTables(admin.db), ['worker_heartbeats']);
  });
});
