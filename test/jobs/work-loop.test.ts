import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { Claim } from '../../db/engine/claim.ts';
import { type Database, openDatabase } from '../../db/engine/database.ts';
import { DatabaseUnavailable } from '../../db/engine/unavailable.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import { batchWork, type Work, WorkLoop } from '../../jobs/work-loop.ts';
import { type TestDatabase, testDatabase } from '../support/database.ts';
import { until } from '../support/until.ts';

interface Item extends MerchantScope {
  readonly n: number;
}

let database: TestDatabase;
let db: Database;
let logged: string[];
before(async () => {
  database = await testDatabase();
  db = openDatabase({ url: database.url, maxConnections: 2 });
});
after(async () => {
  await db.close();
  await database.drop();
});
beforeEach(() => {
  logged = [];
});

/** So many items of each merchant, named after its slot: `7a` and `7b` are in slot 7. */
function backlog(counts: Readonly<Record<string, number>>) {
  const due: Item[] = Object.entries(counts).flatMap(([merchantId, count]) =>
    Array.from({ length: count }, (_, n) => ({ slot: Number.parseInt(merchantId, 10), merchantId, n })),
  );
  const claims: Claim[] = [];
  const take = (slot: number, claim: Claim): Item[] => {
    claims.push(claim);
    const fits = ({ slot: own, merchantId }: Item) =>
      own === slot &&
      (claim.only === null || claim.only === merchantId) &&
      !claim.except.includes(merchantId);
    const taken = due.filter(fits).slice(0, claim.limit);
    for (const item of taken) due.splice(due.indexOf(item), 1);
    return taken;
  };
  return { due, claims, take };
}

function loopOf(
  { due, take }: ReturnType<typeof backlog>,
  run: (item: Item) => Promise<boolean>,
  options: Partial<Work<Item>> = {},
  on: Database = db,
): WorkLoop<Item> {
  const log = { info() {}, warn() {}, error: (_: object, message: string) => void logged.push(message) };
  return new WorkLoop(
    { db: on, log, wall: () => new Date() },
    {
      findSlots: async () => [...new Set(due.map(({ slot }) => slot))],
      claim: async (slot, claim) => take(slot, claim),
      run,
      failure: ({ merchantId }) => ({ message: `${merchantId} failed` }),
      ...options,
    },
  );
}

describe('a round', () => {
  test('processes all due items: first one of a merchant, then batches', async () => {
    const work = backlog({ '3a': 20, '7a': 1, '7b': 2 });
    const loop = loopOf(work, async () => true);
    assert.deepEqual(await loop.runToEnd(), { claimed: 23, done: 23 });
    assert.deepEqual(work.due, []);
    for (const { only, limit } of work.claims) assert.equal(limit, only === null ? 1 : 8);
  });

  test('does not exceed its limit of simultaneous items', async () => {
    const work = backlog({ '3a': 20, '7a': 20, '9a': 20 });
    let underWay = 0;
    let most = 0;
    const run = async () => {
      underWay += 1;
      most = Math.max(most, underWay);
      await new Promise(setImmediate);
      underWay -= 1;
      return true;
    };
    await loopOf(work, run, { concurrency: 5 }).runToEnd();
    assert.deepEqual([work.due.length, most], [0, 5]);
  });

  test('serves the other merchants of a slot before one that has had its turn', async () => {
    const work = backlog({ '7a': 3, '3a': 1, '7b': 1 });
    const served: string[] = [];
    const run = async ({ merchantId }: Item) => {
      served.push(merchantId);
      return true;
    };
    await loopOf(work, run, { concurrency: 1 }).runToEnd();
    assert.deepEqual(served, ['7a', '3a', '7b', '7a', '7a']);
  });

  test('does not wait for items in progress; a stop does, and starts no more', async () => {
    const work = backlog({ '3a': 2, '7a': 2 });
    const answer = Promise.withResolvers<boolean>();
    const loop = loopOf(work, () => answer.promise);
    await loop.round();
    let hasStopped = false;
    const stopping = loop.stop().then(() => {
      hasStopped = true;
    });
    await new Promise(setImmediate);
    assert.equal(hasStopped, false);
    answer.resolve(true);
    await stopping;
    assert.equal(work.due.length, 2);
  });

  test('throws the error of a claim, also of one that ended after the previous round', async () => {
    const work = backlog({ '3a': 9 });
    let isDown = false;
    const claim = async (slot: number, claimed: Claim) => {
      if (isDown) throw new Error('down');
      return work.take(slot, claimed);
    };
    const answer = Promise.withResolvers<boolean>();
    const loop = loopOf(work, () => answer.promise, { claim });
    await loop.round();
    isDown = true;
    answer.resolve(true);
    await until('what follows was to be claimed', async () => {
      const failed = await loop.round().then(
        () => false,
        () => true,
      );
      return failed;
    });
    isDown = false;
    await loop.runToEnd();
    assert.deepEqual(work.due, []);
  });
});

test('a round skips the remaining merchants once no merchant can be served', async () => {
  const gone = openDatabase({ url: database.url, maxConnections: 1 });
  const work = backlog({ '3a': 2, '7a': 2, '9a': 2 });
  const options = { concurrency: 1 };
  const run = async () => {
    await gone.close();
    throw new DatabaseUnavailable(new Error('planted'));
  };
  await assert.rejects(loopOf(work, run, options, gone).runToEnd(), DatabaseUnavailable);
  assert.equal(work.due.length, 5);
});

describe('a merchant', () => {
  test('whose claims return nothing is tried once a round, until one returns items', async () => {
    const work = backlog({ '3a': 30 });
    let comes = false;
    const loop = loopOf(work, async () => comes);
    for (let round = 1; round <= 3; round += 1) {
      await loop.runToEnd();
      assert.equal(work.due.length, 30 - round);
    }
    comes = true;
    await loop.runToEnd();
    assert.deepEqual(work.due, []);
  });

  test('continues with the next item after one that fails, which is logged', async () => {
    const work = backlog({ '3a': 3 });
    const loop = loopOf(work, async ({ n }) => {
      if (n === 0) throw new Error('a fault of ours');
      return true;
    });
    assert.deepEqual(await loop.runToEnd(), { claimed: 3, done: 2 });
    assert.deepEqual(logged, ['3a failed']);
  });

  test('that cannot be served does not delay others, as long as one is served', async () => {
    const work = backlog({ '3a': 3, '3b': 3, '7a': 3 });
    const loop = loopOf(work, async ({ merchantId }) => {
      if (merchantId === '3a') throw new DatabaseUnavailable(new Error('planted'));
      return true;
    });
    assert.deepEqual(await loop.runToEnd(), { claimed: 7, done: 6 });
  });

  test('is not delayed by any number of others whose acquirers do not answer', async () => {
    const silent = Object.fromEntries(Array.from({ length: 30 }, (_, slot) => [`${slot}s`, 5]));
    const work = backlog(silent);
    const released: (() => void)[] = [];
    const run = ({ merchantId }: Item) =>
      merchantId === '40a'
        ? Promise.resolve(true)
        : new Promise<boolean>((resolve) => released.push(() => resolve(false)));
    const loop = loopOf(work, run, { concurrency: 10 });
    // All of them are asked once, and have nothing to do.
    await loop.round();
    await until('all have been asked', () => {
      for (const release of released.splice(0)) release();
      return work.due.length === 30 * 4;
    });
    for (const release of released.splice(0)) release();
    await loop.round();
    await until('they have the half that they may have', () => released.length === 5);
    work.due.push(...backlog({ '40a': 20 }).due);
    await loop.round();
    await until('the other is done', () => !work.due.some(({ merchantId }) => merchantId === '40a'));
    assert.equal(released.length, 5);
    const stopping = loop.stop();
    for (const release of released) release();
    await stopping;
  });
});

test('work in batches takes few claims, of however many merchants the rows are', async () => {
  const merchants = Array.from({ length: 1_500 }, (_, i) => [`7m${i}`, 1]);
  const rows = backlog(Object.fromEntries(merchants));
  const work = batchWork({
    findSlots: async () => [7],
    claim: async (slot, { limit }) => rows.take(slot, { limit, only: null, except: [] }),
    failure: () => ({ message: 'failed' }),
  });
  const log = { info() {}, warn() {}, error() {} };
  const { done } = await new WorkLoop({ db, log, wall: () => new Date() }, work).runToEnd();
  assert.equal(done, 1_500);
  assert.ok(rows.claims.length < 10, `${rows.claims.length} claims`);
});
