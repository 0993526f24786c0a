import assert from 'node:assert/strict';
import { it } from 'node:test';
import { RecentIds } from '../../../jobs/webhooks/recent-ids.ts';

it('a set of recent ids forgets the one that was added first when it is full', () => {
  const ids = new RecentIds(2);
  for (const id of ['a', 'b', 'a', 'c']) ids.add(id);
  assert.deepEqual([...ids], ['a', 'c']);
  ids.delete('a');
  assert.deepEqual([ids.has('a'), ids.has('c')], [false, true]);
});
