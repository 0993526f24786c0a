import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { openDatabase } from '../../../db/engine/database.ts';
import { readQueues } from '../../../db/webhooks/queue-contents.ts';
import { testDatabase } from '../../support/database.ts';

test('the statements that read queues are not planned again for each call', async (t) => {
  const database = await testDatabase();
  const db = openDatabase({ url: database.url, maxConnections: 1 });
  t.after(async () => {
    await db.close();
    await database.drop();
  });
  const queue = { slot: 1, merchantId: randomUUID(), queueId: randomUUID() };
  // Postgres plans the first five calls for their parameters, and then compares the costs.
  for (let i = 0; i < 8; i++) await readQueues(db, queue.slot, [queue], 10);
  const prepared = await db.anywhere<{ generic: number }>(
    'select generic_plans as generic from pg_prepared_statements',
  );
  assert.deepEqual(
    prepared.map(({ generic }) => generic),
    [3, 3],
  );
});
