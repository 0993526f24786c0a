import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { after, before, describe, it, type TestContext } from 'node:test';
import pg from 'pg';
import { type Connections, openConnections, type Run } from '../../../db/engine/connections.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';
import { backendOf, OWN_PID } from '../../support/db/backend.ts';

const MERCHANT = '00000000-0000-7000-8000-000000000001';
const NUMBER = 'select $1::int as n';

/** Listens on a port, and forwards each connection to the socket of Postgres. */
async function forwarder(t: TestContext, databaseUrl: string) {
  const url = new URL(databaseUrl);
  const path = `${url.searchParams.get('host')}/.s.PGSQL.${url.port}`;
  const ends: Socket[] = [];
  const server = createServer((near) => {
    const postgres = connect(path);
    ends.push(near, postgres);
    near.pipe(postgres).pipe(near);
    for (const end of [near, postgres]) end.on('error', () => {});
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url.search = '';
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  t.after(() => {
    for (const end of ends) end.destroy();
    server.close();
  });
  return { url: url.href, ends };
}

describe('the connections of a process', () => {
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

  const notes = async () => (await other.query('select n from notes order by n')).rows.map(({ n }) => n);

  it('let Postgres end a transaction that is idle for 5 seconds', async () => {
    const asked = "select current_setting('idle_in_transaction_session_timeout') as ms where $1";
    const own = await Promise.all([1, 2, 3].map(() => connections.run(MERCHANT, asked, [true])));
    const shared = await connections.runShared('keys', asked, [true]);
    for (const { rows } of [...own, shared]) assert.deepEqual(rows, [{ ms: '5s' }]);
  });

  it('let Citus open one connection to each server for a query of all shards', async () => {
    const asked = "select current_setting('citus.max_adaptive_executor_pool_size', $1) as connections";
    assert.deepEqual((await connections.run(MERCHANT, asked, [true])).rows, [{ connections: '1' }]);
  });

  it('time out if a server accepts the connection and sends nothing', async (t) => {
    const mute = createServer().listen(0, '127.0.0.1');
    await once(mute, 'listening');
    const { port } = mute.address() as AddressInfo;
    const calls = openConnections({ url: `postgres://nobody@127.0.0.1:${port}/nothing` });
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const refused = assert.rejects(calls.run(MERCHANT, NUMBER, [1]), /Timeout acquiring a connection/);
    const [call] = (await once(mute, 'connection')) as [Socket];
    const hungUp = once(call.resume(), 'close');
    t.mock.timers.tick(15_000);
    await Promise.all([refused, hungUp]);
    t.mock.timers.reset();
    await calls.close();
    mute.close();
  });

  it('close a connection whose answer is overdue, and fail everything sent on it', async (t) => {
    const { url, ends } = await forwarder(t, created.url);
    t.after(async () => {
      t.mock.timers.reset();
      await calls.close();
    });
    t.mock.timers.enable({ apis: ['setInterval'] });
    const calls = openConnections({ url, statementTimeout_ms: 5_000 });
    await Promise.all([calls.runShared('rows', NUMBER, [1]), calls.run(MERCHANT, NUMBER, [1])]);
    t.mock.timers.tick(60_000);
    for (const end of ends) end.unpipe();
    let failed = 0;
    const lost = [2, 3].map((n) => calls.runShared('rows', NUMBER, [n]));
    const own = calls.run(MERCHANT, NUMBER, [4]);
    for (const one of [...lost, own]) one.catch(() => (failed += 1));
    await new Promise(setImmediate);
    // Look-ups have five seconds, since all of them wait. Another statement has its own limit and five seconds more.
    for (const [seconds, soFar] of [
      [5, 0],
      [1, 2],
      [4, 2],
      [1, 3],
    ]) {
      t.mock.timers.tick(seconds! * 1000);
      await new Promise(setImmediate);
      assert.equal(failed, soFar);
    }
    for (const one of [...lost, own]) await assert.rejects(one, { code: 'ETIMEDOUT' });
    assert.equal((await calls.runShared('rows', NUMBER, [4])).rows.length, 1);
  });

  it('commit a transaction completely or not at all', async () => {
    await connections.transaction(MERCHANT, (run) => run('insert into notes values ($1)', [1]));
    const failing = connections.transaction(MERCHANT, async (run) => {
      await run('insert into notes values ($1)', [2]);
      throw new Error('thought better of it');
    });
    await assert.rejects(failing, /thought better/);
    assert.deepEqual(await notes(), [1]);
  });

  it('do not report a transaction as committed if it ignored a failed statement', async () => {
    const overlooking = connections.transaction(MERCHANT, async (run) => {
      await run('insert into notes values ($1)', [3]);
      await run('insert into notes values ($1)', [3]).catch(() => {});
    });
    await assert.rejects(overlooking, /rolled back/);
    assert.deepEqual(await notes(), [1]);
  });

  it('report the statement that failed, and not one that was sent with it and refused because of it', async () => {
    const failing = connections.transaction(MERCHANT, async (run) => {
      await run(NUMBER, [1]);
      await Promise.all([run('select 1 / $1::int as n', [0]), run('insert into notes values ($1)', [3])]);
    });
    await assert.rejects(failing, { code: '22012' });
    assert.deepEqual(await notes(), [1]);
  });

  it('refuse a statement of a transaction that has ended', async () => {
    let late: Run | undefined;
    await connections.transaction(MERCHANT, async (run) => {
      late = run;
    });
    await assert.rejects(late!('insert into notes values ($1)', [6]), /over/);
    assert.deepEqual(await notes(), [1]);
  });

  it('roll back a transaction whose connection breaks', async () => {
    const cut = connections.transaction(MERCHANT, async (run) => {
      await run('insert into notes values ($1)', [4]);
      await other.query('select pg_terminate_backend($1)', [await backendOf(run(OWN_PID, [true]))]);
      await run('insert into notes values ($1)', [5]);
    });
    await assert.rejects(cut);
    assert.deepEqual(await notes(), [1]);
    assert.equal((await connections.run(MERCHANT, NUMBER, [7])).rows.length, 1);
  });

  it('run no statement of a transaction whose begin failed', async (t) => {
    const url = new URL(created.url);
    const path = `${url.searchParams.get('host')}/.s.PGSQL.${url.port}`;
    const ends: Socket[] = [];
    let spoilt = 0;
    // Each `begin` becomes an unknown word on its way to Postgres. What follows it is not changed.
    const between = createServer((near) => {
      const postgres = connect(path);
      ends.push(near, postgres);
      near.on('data', (sent) => {
        const at = sent.indexOf('begin\0');
        if (at >= 0) spoilt += sent.write('begim', at) > 0 ? 1 : 0;
        postgres.write(sent);
      });
      postgres.pipe(near);
      for (const end of [near, postgres]) end.on('error', () => {});
    }).listen(0, '127.0.0.1');
    await once(between, 'listening');
    url.search = '';
    url.host = `127.0.0.1:${(between.address() as AddressInfo).port}`;
    const calls = openConnections({ url: url.href });
    t.after(async () => {
      await calls.close();
      for (const end of ends) end.destroy();
      between.close();
    });
    const before = await notes();
    const works: ((run: Run) => Promise<unknown>)[] = [
      (run) => run('insert into notes values ($1)', [20]),
      (run) => Promise.all([run(NUMBER, [1]), run('insert into notes values ($1)', [21])]),
      (run) => run(NUMBER, [1]).then(() => run('insert into notes values ($1)', [22])),
      (run) => run(NUMBER, [1]).catch(() => run('insert into notes values ($1)', [23])),
      async (run) => {
        await run(NUMBER, [1]).catch(() => {});
      },
    ];
    for (const work of works) await assert.rejects(calls.transaction(MERCHANT, work), /begim/);
    assert.equal(spoilt, works.length);
    assert.deepEqual(await notes(), before);
    assert.equal((await calls.run(MERCHANT, NUMBER, [7])).rows.length, 1);
  });
});
