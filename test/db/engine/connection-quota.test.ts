import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import pg from 'pg';
import { type Database, openDatabase, type Queryable } from '../../../db/engine/database.ts';
import { DatabaseUnavailable } from '../../../db/engine/unavailable.ts';
import type { MerchantScope } from '../../../domain/scope.ts';
import { type TestDatabase, testDatabase } from '../../support/database.ts';

const OURS = { slot: 1, merchantId: '00000000-0000-7000-8000-000000000001' };
const THEIRS = { slot: 1, merchantId: '00000000-0000-7000-8000-000000000002' };
const POOL = 10;
/** Three quarters, rounded down, of those that are not kept for look-ups. */
const SHARE = 6;
const MANY = 2 * POOL;
const LONGEST_WAIT_MS = 3_000;

const READ = 'select :n::int as n where :slot::int is not null and :merchant_id::uuid is not null';
/** Takes a shared lock: waits for an exclusive one, then continues together with others. */
const WAIT = `${READ} and pg_advisory_xact_lock_shared(1) is not null`;
const DIVIDE = READ.replace(':n::int', '1 / :n::int');

describe('the connection quota of a merchant', () => {
  let created: TestDatabase;
  let lock: pg.Client;
  let watch: pg.Client;
  before(async () => {
    created = await testDatabase();
    lock = new pg.Client({ connectionString: created.url });
    watch = new pg.Client({ connectionString: created.url });
    await Promise.all([lock.connect(), watch.connect()]);
  });
  after(async () => {
    await Promise.all([lock.end(), watch.end()]);
    await created.drop();
  });

  function open(t: TestContext, maxConnections = POOL): Database {
    const db = openDatabase({ url: created.url, maxConnections });
    t.after(() => letGo().then(() => db.close()));
    return db;
  }

  const ask = (db: Queryable, scope: MerchantScope, sql: string, n: number) => db.one(scope, sql, { n });
  const askInTransaction = (db: Database, scope: MerchantScope, sql: string, n: number) =>
    db.transaction(scope, (tx) => ask(tx, scope, sql, n));

  const hold = () => lock.query('select pg_advisory_lock(1)');
  const letGo = () => lock.query('select pg_advisory_unlock_all()');
  const waiting = async (): Promise<number[]> => {
    const sql = `select pid from pg_stat_activity where datname = current_database() and wait_event = 'advisory'`;
    return (await watch.query(sql)).rows.map(({ pid }) => pid);
  };
  /** Polls without a timer, because some of these tests mock the time. */
  const waitFor = async (count: number) => {
    const deadline_ms = performance.now() + 30_000;
    while ((await waiting()).length < count) assert.ok(performance.now() < deadline_ms, `not ${count} wait`);
  };
  const times = <R>(count: number, work: (n: number) => R): R[] =>
    Array.from({ length: count }, (_, n) => work(n));
  const numbers = (count: number) => times(count, (n) => ({ n }));

  /** One merchant gets what it may hold, and another all that is left: nothing is taken that was not given back. */
  async function assertWhole(db: Database): Promise<void> {
    await hold();
    const ours = times(MANY, (n) => ask(db, OURS, WAIT, n));
    await waitFor(SHARE);
    const theirs = times(POOL - SHARE, (n) => ask(db, THEIRS, WAIT, n));
    await waitFor(POOL);
    await letGo();
    assert.deepEqual(await Promise.all(ours), numbers(MANY));
    assert.deepEqual(await Promise.all(theirs), numbers(POOL - SHARE));
  }

  for (const way of ['rows', 'maybeOne', 'one', 'execute', 'transaction'] as const) {
    it(`leaves connections to others while many of “${way}” wait for a lock, which then continue`, async (t) => {
      const db = open(t);
      await hold();
      const ours = times<Promise<unknown>>(MANY, (n) =>
        way === 'transaction' ? askInTransaction(db, OURS, WAIT, n) : db[way](OURS, WAIT, { n }),
      );
      await waitFor(SHARE);
      assert.deepEqual(await ask(db, THEIRS, READ, 1), { n: 1 });
      assert.deepEqual(await askInTransaction(db, THEIRS, READ, 2), { n: 2 });
      assert.equal((await waiting()).length, SHARE);
      await letGo();
      await Promise.all(ours);
      await assertWhole(db);
    });
  }

  it('is granted in order', async (t) => {
    const db = open(t, 2);
    const done: number[] = [];
    await hold();
    const ours = times(9, async (n) => {
      await (n % 2 === 0 ? ask : askInTransaction)(db, OURS, WAIT, n);
      done.push(n);
    });
    await waitFor(1);
    assert.deepEqual(await ask(db, THEIRS, READ, 1), { n: 1 });
    await letGo();
    await Promise.all(ours);
    assert.deepEqual(done, [0, 1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('is waited for as long as any connection, and only the caller that waited too long gets an error', async (t) => {
    const db = open(t);
    await hold();
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const early = times(POOL, (n) => ask(db, OURS, WAIT, n));
    await waitFor(SHARE);
    t.mock.timers.tick(LONGEST_WAIT_MS - 1);
    const late = times(POOL, (n) => askInTransaction(db, OURS, WAIT, n));
    t.mock.timers.tick(1);
    await Promise.all(early.slice(SHARE).map((one) => assert.rejects(one, DatabaseUnavailable)));
    await letGo();
    assert.deepEqual(await Promise.all(early.slice(0, SHARE)), numbers(SHARE));
    assert.deepEqual(await Promise.all(late), numbers(POOL));
    t.mock.timers.reset();
    await assertWhole(db);
  });

  it('is released by failed statements and transactions', async (t) => {
    const db = open(t);
    const failed = times(MANY, (n) => [
      assert.rejects(ask(db, OURS, DIVIDE, 0), { code: '22012' }),
      assert.rejects(askInTransaction(db, OURS, DIVIDE, 0), { code: '22012' }),
      assert.rejects(
        db.transaction(OURS, () => Promise.reject(new Error(`${n}`))),
        { message: `${n}` },
      ),
    ]);
    await Promise.all(failed.flat());
    await assertWhole(db);
  });

  it('is released by broken connections', async (t) => {
    const db = open(t);
    await hold();
    const broken = times(SHARE, (n) =>
      assert.rejects((n % 2 === 0 ? ask : askInTransaction)(db, OURS, WAIT, n), DatabaseUnavailable),
    );
    await waitFor(SHARE);
    const next = times(SHARE, (n) => ask(db, OURS, WAIT, n));
    for (const pid of await waiting()) await watch.query('select pg_terminate_backend($1)', [pid]);
    await Promise.all(broken);
    await letGo();
    assert.deepEqual(await Promise.all(next), numbers(SHARE));
    await assertWhole(db);
  });

  it('is released when no connection is available', async (t) => {
    const db = openDatabase({ url: 'postgres://nobody@127.0.0.1:1/nothing' });
    t.after(() => db.close());
    const refused = (error: Error) => (error.cause as { code?: string }).code === 'ECONNREFUSED';
    for (const _ of numbers(MANY)) await assert.rejects(ask(db, OURS, READ, 1), refused);
  });

  it('is taken again by each retry of a transaction', async (t) => {
    const db = open(t, 1);
    const runs = new Map<number, number>();
    const deadlocked = (n: number) =>
      db.transaction(OURS, async (tx) => {
        runs.set(n, (runs.get(n) ?? 0) + 1);
        if (runs.get(n)! < 3) throw Object.assign(new Error('deadlock detected'), { code: '40P01' });
        return ask(tx, OURS, READ, n);
      });
    assert.deepEqual(await Promise.all(times(5, deadlocked)), numbers(5));
    assert.deepEqual([...runs.values()], [3, 3, 3, 3, 3]);
    assert.deepEqual(await ask(db, OURS, READ, 1), { n: 1 });
  });

  it('is not waited for after the close, and running work is completed', async () => {
    const db = openDatabase({ url: created.url, maxConnections: POOL });
    await hold();
    const ours = times(MANY, (n) => ask(db, OURS, WAIT, n));
    await waitFor(SHARE);
    const ends = Promise.allSettled(ours);
    const closed = db.close();
    const isClosed = { name: 'DatabaseUnavailable', cause: new Error('The connections are closed.') };
    for (const one of ours.slice(SHARE)) await assert.rejects(one, isClosed);
    await letGo();
    await closed;
    assert.deepEqual(
      (await ends).map(({ status }) => status),
      times(MANY, (n) => (n < SHARE ? 'fulfilled' : 'rejected')),
    );
  });

  for (const maxConnections of [3, 4, 5, 6, 7]) {
    it(`is not smaller for ${maxConnections} connections than for three`, async (t) => {
      const db = open(t, maxConnections);
      await hold();
      const asked = Promise.all(times(3, (n) => ask(db, OURS, WAIT, n)));
      await waitFor(2);
      await letGo();
      assert.deepEqual(await asked, numbers(3));
    });
  }

  for (const maxConnections of [1, 2, 3, 4, 5, 6]) {
    it(`is at least one connection of ${maxConnections}`, async (t) => {
      const db = open(t, maxConnections);
      const ours = times(MANY, (n) => (n % 2 === 0 ? ask : askInTransaction)(db, OURS, READ, n));
      assert.deepEqual(await Promise.all(ours), numbers(MANY));
      const lookedUp = await Promise.all(times(MANY, (n) => db.lookUp.rows(OURS, READ, { n })));
      assert.deepEqual(lookedUp.flat(), numbers(MANY));
    });
  }
});
