/** Fails where another version of pg has other internals than db/engine/pg-internals.ts relies on. */
import assert from 'node:assert/strict';
import { after, before, describe, mock, test } from 'node:test';
import pg from 'pg';
import { Statement, type Summary, socketOf } from '../../../db/engine/pg-internals.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';

let database: TestDatabase;
let client: pg.Client;
before(async () => {
  database = await testDatabase();
  client = new pg.Client({ connectionString: database.url, pipeline: true } as pg.ClientConfig);
  client.on('error', () => {});
  await client.connect();
});
after(async () => {
  await client.end();
  await database.drop();
});

/** Runs a statement; resolves to what pg says of it. */
function run(text: string, values: readonly unknown[], name?: string) {
  return new Promise<{ statement: Statement; summary: Summary & { rows: unknown[] } }>((resolve, reject) => {
    const statement: Statement = new Statement(text, values, name, (error, summary) =>
      error ? reject(error) : resolve({ statement, summary: summary as Summary & { rows: unknown[] } }),
    );
    client.query(statement);
  });
}

describe('pg', () => {
  test('passes each answer to the methods that a statement overrides, and stores no rows', async () => {
    const { statement, summary } = await run(
      'select n, n::text as word from generate_series(1, $1::int) n',
      [2],
    );
    assert.deepEqual(statement.found, [
      { n: 1, word: '1' },
      { n: 2, word: '2' },
    ]);
    assert.deepEqual([summary.rowCount, summary.command, summary.rows], [2, 'SELECT', []]);
  });

  test('prepares and runs a statement under the name that is set after its creation', async () => {
    await run('select $1::int as n', [1], 'by_name');
    assert.deepEqual((await run('select $1::int as n', [2], 'by_name')).statement.found, [{ n: 2 }]);
    const { rows } = await client.query('select name, statement from pg_prepared_statements');
    assert.deepEqual(rows, [{ name: 'by_name', statement: 'select $1::int as n' }]);
  });

  test('asks for the columns of a prepared statement once', async () => {
    const { connection } = client as unknown as { readonly connection: { describe(portal: object): void } };
    const described = mock.method(connection, 'describe');
    const text = 'select $1::int as n, n as word from unnest($2::text[]) n';
    const both = await Promise.all([run(text, [1, ['a']], 'columns'), run(text, [2, ['b']], 'columns')]);
    const asked = described.mock.callCount();
    const later = [await run(text, [3, ['c', 'd']], 'columns'), await run(text, [4, []], 'columns')];
    assert.deepEqual(
      [...both, ...later].map(({ statement }) => statement.found),
      [
        [{ n: 1, word: 'a' }],
        [{ n: 2, word: 'b' }],
        [
          { n: 3, word: 'c' },
          { n: 3, word: 'd' },
        ],
        [],
      ],
    );
    const cleared = 'delete from pg_temp.emptied where n = $1::int';
    await client.query('create temporary table emptied (n int)');
    const withoutRows = [await run(cleared, [1], 'cleared'), await run(cleared, [1], 'cleared')];
    described.mock.restore();
    assert.deepEqual(
      withoutRows.map(({ statement, summary }) => [statement.found, summary.rowCount]),
      [
        [[], 0],
        [[], 0],
      ],
    );
    assert.deepEqual([asked, described.mock.callCount()], [2, 3]);
  });

  test('fails if the columns of a prepared statement have changed', async () => {
    await client.query('create temporary table widened (n int)');
    await client.query('insert into widened values (1)');
    const all = () => run('select * from widened where n = $1', [1], 'widened');
    await all();
    assert.deepEqual((await all()).statement.found, [{ n: 1 }]);
    await client.query('alter table widened add column word text');
    await assert.rejects(all(), { code: '0A000' });
  });

  test('reports the error of a statement only to that statement', async () => {
    const [failed, next] = await Promise.allSettled([
      run('select 1 / $1::int', [0]),
      run('select $1::int as n', [3]),
    ]);
    assert.equal(failed.status, 'rejected');
    assert.deepEqual(next.status === 'fulfilled' && next.value.statement.found, [{ n: 3 }]);
  });

  test('writes to the socket of its connection, so that corked bytes are sent when it is uncorked', async () => {
    const socket = socketOf(client) as ReturnType<typeof socketOf> & { readonly writableLength: number };
    socket.cork();
    assert.equal(socket.writableCorked, 1);
    const answer = run('select $1::int as n', [4]);
    await new Promise(setImmediate);
    assert.ok(socket.writableLength > 0);
    socket.uncork();
    assert.deepEqual((await answer).statement.found, [{ n: 4 }]);
  });

  test('fails sent statements with the error that destroyed the socket', async () => {
    const lost = new pg.Client({ connectionString: database.url });
    lost.on('error', () => {});
    await lost.connect();
    const answer = lost.query('select pg_sleep(600)');
    socketOf(lost).destroy(new Error('the network is down'));
    await assert.rejects(answer, /the network is down/);
  });
});
