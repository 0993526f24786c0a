import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Client } from 'pg';
import { type TestDatabase, testDatabase } from './database.ts';

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

test('each test database is its own, and gone once dropped, even while somebody is connected', async () => {
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
