import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import pg from 'pg';
import { gather } from '../../gateway/simulator/gather.ts';

/** Doubles numbers, records each call, and fails for those that `failure` names. */
function doubler(failure: (numbers: readonly number[]) => Error | null = () => null) {
  const sent: number[][] = [];
  const double = gather(async (numbers: readonly number[]) => {
    sent.push([...numbers]);
    const error = failure(numbers);
    if (error !== null) throw error;
    return numbers.map((number) => 2 * number);
  });
  return { sent, double };
}

describe('gathered calls', () => {
  it('of one turn of the event loop are sent together, and each gets its own result', async () => {
    const { sent, double } = doubler();
    const soon = Promise.resolve().then(() => double(3));
    assert.deepEqual(await Promise.all([double(1), double(2), soon]), [2, 4, 6]);
    assert.equal(await double(4), 8);
    assert.deepEqual(sent, [[1, 2, 3], [4]]);
  });

  it('are sent alone if Postgres refuses them, and only those that it refuses again fail', async () => {
    const refusal = new pg.DatabaseError('refused', 7, 'error');
    const { sent, double } = doubler((numbers) => (numbers.includes(2) ? refusal : null));
    const settled = await Promise.allSettled([double(1), double(2), double(3)]);
    assert.deepEqual(settled, [
      { status: 'fulfilled', value: 2 },
      { status: 'rejected', reason: refusal },
      { status: 'fulfilled', value: 6 },
    ]);
    assert.deepEqual(sent, [[1, 2, 3], [1], [2], [3]]);
  });

  it('all fail, and are not sent again, if the database does not answer', async () => {
    const lost = new Error('Connection terminated');
    const { sent, double } = doubler(() => lost);
    const settled = await Promise.allSettled([double(1), double(2)]);
    assert.deepEqual(
      settled,
      [1, 2].map(() => ({ status: 'rejected', reason: lost })),
    );
    assert.deepEqual(sent, [[1, 2]]);
  });
});
