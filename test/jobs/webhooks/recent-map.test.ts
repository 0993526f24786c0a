import assert from 'node:assert/strict';
import { it } from 'node:test';
import { RecentMap } from '../../../jobs/webhooks/recent-map.ts';

it('a map of recent values forgets the one that was set first when it is full', () => {
  const values = new RecentMap<number>(2);
  for (const [i, key] of ['a', 'b', 'a', 'c'].entries()) values.set(key, i);
  assert.deepEqual(
    [...values],
    [
      ['a', 2],
      ['c', 3],
    ],
  );
  values.delete('a');
  assert.deepEqual([values.has('a'), values.get('c')], [false, 3]);
});
