import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { bulk, eachOnce, inBulk } from '../../../db/engine/bulk.ts';
import type { Queryable, Tx } from '../../../db/engine/database.ts';
import { lockSubscription } from '../../../db/subscriptions/subscriptions.ts';
import { sharedService } from '../../support/shared-service.ts';

const service = await sharedService({ jobs: false });
const { merchant } = service.merchant;
const { db } = service.deps;

/** A function that doubles numbers in the database, and the lists that it was sent. */
function doubling(shapeOf?: (item: number) => string) {
  const sent: (readonly number[])[] = [];
  const double = bulk(async (q: Queryable, scope, items: readonly number[]) => {
    sent.push(items);
    const rows = await q.rows<{ double: number }>(
      scope,
      'select 2 * n / cast(n > 0 as integer) as double from unnest(cast(:items as integer[])) n, merchants m where {scope:m}',
      { items },
    );
    return rows.map(({ double: value }) => value);
  }, shapeOf);
  return { double, sent };
}

describe('calls in bulk', () => {
  test('of one tick are sent together, and each gets its own result', async () => {
    const { double, sent } = doubling();
    const q = inBulk(db);
    const results = await Promise.all([1, 2, 3].map((n) => double(q, merchant, n)));
    assert.deepEqual([results, sent], [[2, 4, 6], [[1, 2, 3]]]);
  });

  test('are sent together again after the same number of steps', async () => {
    const { double, sent } = doubling();
    const q = inBulk(db);
    const twice = async (n: number) => double(q, merchant, await double(q, merchant, n));
    assert.deepEqual(await Promise.all([1, 2].map(twice)), [4, 8]);
    assert.deepEqual(sent, [
      [1, 2],
      [2, 4],
    ]);
  });

  test('of other shapes are sent separately', async () => {
    const { double, sent } = doubling((n) => String(n % 2));
    const q = inBulk(db);
    assert.deepEqual(await Promise.all([1, 2, 3].map((n) => double(q, merchant, n))), [2, 4, 6]);
    assert.deepEqual(sent, [[1, 3], [2]]);
  });

  test('all fail if their statement fails', async () => {
    const { double } = doubling();
    const q = inBulk(db);
    const results = await Promise.allSettled([1, 0].map((n) => double(q, merchant, n)));
    assert.deepEqual(
      results.map(({ status }) => status),
      ['rejected', 'rejected'],
    );
  });
});

test('other calls are sent one by one', async () => {
  const { double, sent } = doubling();
  assert.deepEqual(await Promise.all([1, 2].map((n) => double(db, merchant, n))), [2, 4]);
  assert.deepEqual(sent, [[1], [2]]);
});

test('a row that is to be changed twice counts as changed once', () => {
  assert.deepEqual(eachOnce(['a', 'b', 'a'], ['a', 'c']), [true, false, false]);
});

test('a subscription is not locked twice in one statement: the second change would not see the first one', async () => {
  const tx = inBulk({ rows: async () => [] } as unknown as Tx);
  const scope = { slot: 7, merchantId: randomUUID() };
  const [first, other] = [randomUUID(), randomUUID()];
  const lockAll = (...ids: string[]) => Promise.all(ids.map((id) => lockSubscription(tx, scope, id)));
  assert.deepEqual(await lockAll(first, other), [undefined, undefined]);
  await assert.rejects(lockAll(first, other, first), /locked twice/);
});
