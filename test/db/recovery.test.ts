import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { type Database, openDatabase } from '../../db/engine/database.ts';
import { MigrationError, migrate } from '../../db/engine/migrate.ts';
import { DatabaseUnavailable } from '../../db/engine/unavailable.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { MIGRATIONS_TABLE } from '../support/db/migrate-to.ts';
import { until } from '../support/until.ts';

const SCOPE = { slot: 1, merchantId: '00000000-0000-7000-8000-000000000001' };
const MERCHANTS = 'select name from merchants where {scope}';

describe('a database with a fault', () => {
  let created: TestDatabase;
  let db: Database;
  let other: pg.Client;
  before(async () => {
    created = await testDatabase();
    other = new pg.Client({ connectionString: created.url });
    await other.connect();
    await other.query('create table notes (slot int, merchant_id uuid, a int)');
    db = openDatabase({ url: created.url, statementTimeout_ms: 300 });
  });
  after(async () => {
    await db.close();
    await other.end();
    await created.drop();
  });

  it('is not available to simultaneous look-ups of a locked table, and then is again', async () => {
    await other.query('begin');
    await other.query('lock table merchants in access exclusive mode');
    const asked = [1, 2, 3].map(() => assert.rejects(db.lookUp.rows(SCOPE, MERCHANTS), DatabaseUnavailable));
    await Promise.all(asked);
    await other.query('commit');
    const again = await Promise.all([1, 2, 3].map(() => db.lookUp.rows(SCOPE, MERCHANTS)));
    assert.deepEqual(again, [[], [], []]);
  });

  it('is not available once to a statement whose columns a migration has changed', async () => {
    const ways = [
      db.rows,
      db.lookUp.rows,
      (...asked: Parameters<Database['rows']>) => db.transaction(SCOPE, (tx) => tx.rows(...asked)),
    ];
    for (const [n, rows] of ways.entries()) {
      const notes = `select *, ${n} as way from notes where {scope}`;
      assert.deepEqual(await rows(SCOPE, notes), []);
      await other.query(`alter table notes add column c${n} int`);
      await assert.rejects(rows(SCOPE, notes), DatabaseUnavailable);
      assert.deepEqual(await rows(SCOPE, notes), []);
    }
  });

  it('is left for another host if it is read-only', async () => {
    const write = () =>
      db.execute(SCOPE, 'insert into notes (slot, merchant_id) values (:slot, :merchant_id)');
    await write();
    await db.anywhere('set default_transaction_read_only = on');
    await assert.rejects(write(), DatabaseUnavailable);
    await write();
  });
});

describe('a migration', () => {
  it('continues if another process starts with the same empty database', async () => {
    const created = await testDatabase();
    const [other, watch] = [1, 2].map(() => new pg.Client({ connectionString: created.url }));
    await Promise.all([other!.connect(), watch!.connect()]);
    await other!.query('drop schema public cascade; create schema public');
    await other!.query(`begin; ${MIGRATIONS_TABLE}`);
    const applied: string[] = [];
    const migrated = migrate(created.url, 'sandbox', (line) => applied.push(line));
    await until('it waits for the other', async () => {
      const waiting = await watch!.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return waiting.rowCount === 1;
    });
    await other!.query('commit');
    await migrated;
    assert.ok(applied.length > 0);
    await Promise.all([other!.end(), watch!.end()]);
    await created.drop();
  });

  it('runs once for any number of simultaneous starts with an empty database', async () => {
    const created = await testDatabase();
    const client = new pg.Client({ connectionString: created.url });
    await client.connect();
    for (let round = 0; round < 20; round += 1) {
      // Each start creates the table of the migrations, and the first migration then fails in each.
      await client.query('drop schema public cascade; create schema public; create table merchants ()');
      const starts = Array.from({ length: 12 }, () =>
        assert.rejects(migrate(created.url, 'sandbox'), /^Error: Migration \S+ failed: .* already exists\.$/),
      );
      await Promise.all(starts);
    }
    const { rowCount } = await client.query('select from schema_migrations');
    assert.equal(rowCount, 0);
    await client.end();
    await created.drop();
  });

  it('reports a broken connection, and does not end the process', async () => {
    const created = await testDatabase();
    const connections = [1, 2].map(() => new pg.Client({ connectionString: created.url }));
    const [lock, watch] = connections as [pg.Client, pg.Client];
    await Promise.all([lock.connect(), watch.connect()]);
    await lock.query('begin');
    await lock.query('lock table schema_migrations in access share mode');
    const failed = assert.rejects(migrate(created.url, 'sandbox'), MigrationError);
    await until('it waits, and its connection breaks', async () => {
      const broken = await watch.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return broken.rowCount === 1;
    });
    await failed;
    await Promise.all([lock.end(), watch.end()]);
    await created.drop();
  });
});
