import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Client } from 'pg';
import { type TestDatabase, testDatabase } from './database.ts';
import { waitForOthers } from './db/server-locks.ts';

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.drop());

async function tables(url: string): Promise<string[]> {
  const client = new Client(url);
  await client.connect();
  const { rows } = await client.query(
    `select table_schema || '.' || table_name as name from information_schema.tables
     where table_schema not in ('pg_catalog', 'information_schema') order by name`,
  );
  await client.end();
  return rows.map(({ name }) => name);
}

test('a test database has the tables of the migrations', async () => {
  const names = await tables(database.url);
  assert.ok(names.includes('public.merchants'), names.join());
});

test('each test database is separate, and can be dropped while a client is connected', async () => {
  const other = await testDatabase();
  const client = new Client(other.url);
  client.on('error', () => {});
  await client.connect();
  await client.query('create table only_here ()');
  assert.ok((await tables(other.url)).includes('public.only_here'));
  assert.ok(!(await tables(database.url)).includes('public.only_here'));
  await other.drop();
  await client.end();
  await assert.rejects(tables(other.url), { code: '3D000' });
});

test('the stop of a server waits for its other users, reports them, and ends after a time-out', async () => {
  const name = 'a server of this test';
  const owner = new Client(database.url);
  const other = new Client({ connectionString: database.url, application_name: 'centavo test 4711' });
  const said: string[] = [];
  const limits = { patience_ms: 50, limit_ms: 60, say: (line: string) => said.push(line) };
  const outlast = () => waitForOthers(async (text) => (await owner.query(text)).rows, name, limits);
  try {
    await Promise.all([owner.connect(), other.connect()]);
    await other.query(`select pg_advisory_lock_shared(hashtextextended('${name}', 0))`);
    await outlast();
    assert.equal(said.length, 2, said.join('\n'));
    assert.match(said[0]!, /waits for others who use it: .*centavo test 4711/);
    assert.match(said[1]!, /stops, though others still use it: .*centavo test 4711/);
    await other.query('select pg_advisory_unlock_all()');
    await outlast();
    assert.equal(said.length, 2, said.join('\n'));
  } finally {
    await Promise.all([owner.end(), other.end()]);
  }
});
