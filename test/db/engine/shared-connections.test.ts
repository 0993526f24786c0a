import assert from 'node:assert/strict';
import { Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { type Connections, openConnections, type SharedKind } from '../../../db/engine/connections.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { backendOf, OWN_PID } from '../../support/db/backend.ts';

const MERCHANT = '00000000-0000-7000-8000-000000000001';
const ANOTHER = '00000000-0000-7000-8000-000000000002';
const NUMBER = 'select $1::int as n';

describe('the connections that look-ups share', () => {
  let created: TestDatabase;
  let connections: Connections;
  let other: pg.Client;
  before(async () => {
    created = await testDatabase();
    connections = openConnections({ url: created.url });
    other = new pg.Client({ connectionString: created.url });
    await other.connect();
    await other.query('create table notes (n int primary key)');
  });
  after(async () => {
    await other.end();
    await connections.close();
    await created.drop();
  });

  it('return its own rows to each of many simultaneous look-ups', async () => {
    const asked = Array.from({ length: 500 }, (_, n) => n);
    const answers = await Promise.all(asked.map((n) => connections.runShared('rows', NUMBER, [n])));
    assert.deepEqual(
      answers.map(({ rows }) => (rows[0] as unknown as { n: number }).n),
      asked,
    );
  });

  it('fail one look-up without failing those behind it', async () => {
    const [good, bad, after] = await Promise.allSettled([
      connections.runShared('rows', NUMBER, [1]),
      connections.runShared('rows', 'select 1 / $1::int', [0]),
      connections.runShared('rows', NUMBER, [2]),
    ]);
    assert.deepEqual([good.status, bad.status, after.status], ['fulfilled', 'rejected', 'fulfilled']);
  });

  const pidOfShared = (kind: SharedKind, of = connections) => backendOf(of.runShared(kind, OWN_PID, [true]));
  /** Looks up both kinds at the same time, and returns the processes of Postgres that answer. */
  const pidsOfBoth = (of = connections) => Promise.all([pidOfShared('keys', of), pidOfShared('rows', of)]);

  it('use two connections for keys and rows that are looked up at the same time', async () => {
    const [first, second] = await pidsOfBoth();
    assert.notEqual(first, second);
    const kinds = ['rows', 'rows', 'keys'] as const;
    const pids = await Promise.all(kinds.map((kind) => pidOfShared(kind)));
    assert.deepEqual(pids, [first, first, second]);
  });

  it('use one connection for keys and rows that are looked up one after the other', async () => {
    const [first] = await pidsOfBoth();
    assert.equal(await pidOfShared('keys'), first);
    assert.equal(await pidOfShared('rows'), first);
  });

  it('look up both kinds at once, although others hold all other connections', async () => {
    const calls = openConnections({ url: created.url, maxConnections: 6 });
    await pidOfShared('keys', calls);
    await other.query('begin');
    await other.query('lock table notes');
    const read = 'select n from notes where n = $1';
    const others = [MERCHANT, ANOTHER].flatMap((id) => [1, 2, 3].map((n) => calls.run(id, read, [n])));
    await pidsOfBoth(calls);
    await other.query('rollback');
    await Promise.all(others);
    await calls.close();
  });

  for (const [locked, free, begun] of [
    ['rows', 'keys', 'rows'],
    ['rows', 'keys', 'keys'],
    ['keys', 'rows', 'keys'],
    ['keys', 'rows', 'rows'],
  ] as const)
    it(`let look-ups of ${locked} in a locked table not delay those of ${free}, with ${begun} first`, async () => {
      await other.query('begin');
      await other.query('lock table notes');
      const lookUp = (kind: SharedKind, n: number) =>
        connections.runShared(kind, kind === locked ? 'select n from notes where n = $1' : NUMBER, [n]);
      const waiting: Promise<unknown>[] = [];
      let answered = 0;
      const wait = (n: number) => waiting.push(lookUp(locked, n).then(() => (answered += 1)));
      const early = begun === free ? lookUp(free, 1) : undefined;
      wait(1);
      await early;
      for (const n of [2, 3]) {
        assert.deepEqual((await lookUp(free, n)).rows, [{ n }]);
        wait(n);
      }
      assert.equal(answered, 0);
      await other.query('rollback');
      await Promise.all(waiting);
      assert.equal(answered, 3);
    });

  it('replace a shared connection that broke', async () => {
    const broken = await backendOf(connections.runShared('rows', OWN_PID, [true]));
    // Heard before the connection breaks: it may do so while the other one is still being asked.
    const hanging = assert.rejects(connections.runShared('rows', 'select pg_sleep($1)', [600]));
    await other.query('select pg_terminate_backend($1)', [broken]);
    await hanging;
    assert.notEqual(await backendOf(connections.runShared('rows', OWN_PID, [true])), broken);
  });

  it('are found to be dead also after a long pause: a shared connection is never closed for being idle', async (t) => {
    const keepAlive = t.mock.method(Socket.prototype, 'setKeepAlive');
    const others = openConnections({ url: created.url });
    await others.runShared('rows', NUMBER, [1]);
    await others.close();
    const [isOn, after_ms] = keepAlive.mock.calls[0]!.arguments;
    assert.equal(isOn, true);
    assert.ok(after_ms! > 0 && after_ms! <= 60_000, 'not after the two hours of an operating system');
  });
});
