import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, beforeEach, describe, test } from 'node:test';
import { Client } from 'pg';
import { rowsById } from '../../../db/engine/rows-by-id.ts';
import { scopedSql } from '../../../db/engine/sql.ts';
import { testDatabase } from '../../support/database.ts';
import { insertBareMerchant } from '../../support/db/bare-rows.ts';
import { until } from '../../support/until.ts';

const database = await testDatabase();
const [ours, theirs, observer] = [1, 2, 3].map(() => new Client(database.url)) as [Client, Client, Client];
let scope: { slot: number; merchantId: string };
const ids = Array.from({ length: 5 }, () => randomUUID()).sort();
const [first, second, third] = ids as [string, string, string];

before(async () => {
  for (const client of [ours, theirs, observer]) await client.connect();
  await insertBareMerchant(ours);
  const { rows } = await ours.query('select slot, merchant_id as "merchantId" from merchants');
  scope = rows[0];
});
after(async () => {
  for (const client of [ours, theirs, observer]) await client.end();
  await database.drop();
});
beforeEach(async () => {
  await ours.query('delete from products');
  await ours.query(
    `insert into products (slot, merchant_id, id, name, created_at, updated_at)
     select slot, merchant_id, id, 'old', now(), now() from merchants, unnest(cast($1 as uuid[])) id`,
    [ids],
  );
});

const OLD = `select id, name from products where {scope} and name = 'old'`;
const LOCKED = rowsById(`select id, name from products where {scope} and name <> 'gone'`, {
  lock: 'for update',
});

async function read(sql: string, wanted: readonly string[]): Promise<{ id: string; name: string }[]> {
  return (await ours.query(...scopedSql(scope, sql, { ids: wanted }))).rows;
}

async function isWaiting(): Promise<boolean> {
  const { rows } = await observer.query(
    `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows.length > 0;
}

test('each row is in the result once, in the order of the ids', async () => {
  const rows = await read(rowsById(OLD), [third, first, randomUUID(), third, second]);
  assert.deepEqual(
    rows.map(({ id }) => id),
    [first, second, third],
  );
  assert.deepEqual(await read(rowsById(OLD), []), []);
});

test('rows to which the conditions do not apply are left out, and so are those of other merchants', async () => {
  await ours.query(`update products set name = 'new' where id = $1`, [first]);
  assert.deepEqual(
    (await read(rowsById(OLD), ids)).map(({ id }) => id),
    ids.slice(1),
  );
  await ours.query('set session_replication_role = replica');
  await ours.query('update products set merchant_id = gen_random_uuid() where id = $1', [second]);
  await ours.query('set session_replication_role = origin');
  assert.deepEqual(
    (await read(rowsById(OLD), ids)).map(({ id }) => id),
    ids.slice(2),
  );
});

describe('with a lock', () => {
  test('rows that change before they are locked are read as they are then', async () => {
    await theirs.query('begin');
    await theirs.query(`update products set name = 'new' where id = $1`, [first]);
    await theirs.query(`update products set name = 'gone' where id = $1`, [second]);
    await ours.query('begin');
    const reading = read(LOCKED, [third, second, first]);
    await until('the read waits', isWaiting);
    await theirs.query('commit');
    const rows = await reading;
    await ours.query('rollback');
    assert.deepEqual(rows, [
      { id: first, name: 'new' },
      { id: third, name: 'old' },
    ]);
  });

  test('rows are locked in the order of their ids', async () => {
    await theirs.query('begin');
    await theirs.query('select 1 from products where id = $1 for update', [second]);
    await ours.query('begin');
    const reading = read(LOCKED, [third, second, first]);
    await until('the read waits', isWaiting);
    const { rows: free } = await observer.query('select id from products order by id for update skip locked');
    await theirs.query('rollback');
    await reading;
    await ours.query('rollback');
    assert.deepEqual(
      free.map(({ id }) => id),
      ids.slice(2),
    );
  });
});
