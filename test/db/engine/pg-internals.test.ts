/** Fails where another version of pg has other internals than db/engine/pg-internals.ts relies on. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
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
  test('passes each answer to the two methods that a statement overrides, and stores no rows', async () => {
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
