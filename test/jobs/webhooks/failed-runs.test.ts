/** Runs of queues that fail: the database cannot be reached for a moment, or something is wrong. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { RETRIES_MS } from '../../../domain/webhooks/retry-schedule.ts';
import { DeliveryLoop } from '../../../jobs/webhooks/delivery-loop.ts';
import type { Deps } from '../../../services/deps.ts';
import { recordStatements } from '../../support/db/recorded-statements.ts';
import { fanOutEvents } from '../../support/run-jobs.ts';
import { startDeliveringService } from '../../support/webhooks/delivering-service.ts';

const { service, open, deliver, letPass } = await startDeliveringService();
const { deps } = service;

/** Starts what is due, with other parts, and waits until it has ended. */
async function run(parts: Partial<Deps>): Promise<void> {
  const loop = new DeliveryLoop({ ...deps, ...parts });
  await loop.round().catch(() => {});
  await loop.settled();
}

/** The database, with `times` failures of the statements that match. */
function failing(statement: RegExp, times: number) {
  let left = times;
  return recordStatements(deps.db, (sql) => {
    if (statement.test(sql) && left-- > 0) throw new Error('Connection terminated unexpectedly');
  }).db;
}

const queuesOf = (endpointId: string) =>
  service.rows<{ lease_id: string | null; due_at: Date }>(
    'select lease_id, due_at from webhook_queues where id = :id',
    { id: endpointId },
  );

for (const [what, statement] of [
  ['the first results', /insert into webhook_deliveries/],
  ['the health of the endpoint and the results', /update webhook_endpoints set failing_since/],
] as const) {
  it(`${what} are written again, and nothing is sent twice`, async () => {
    const { shop, receiver, endpoint, deliveries, path } = await open();
    await shop.pixPayment();
    await fanOutEvents(deps);
    if (what.startsWith('the health'))
      await service.rows('update webhook_endpoints set failing_since = :at where id = :id', {
        id: endpoint.id,
        at: deps.wall(),
      });
    await run({ db: failing(statement, 2) });
    assert.deepEqual(
      (await deliveries()).map(({ status }) => status),
      ['succeeded', 'succeeded'],
    );
    assert.equal(receiver.arrivals.length, 2);
    assert.equal((await shop.get(path)).failing_since, null);
    assert.deepEqual(await queuesOf(endpoint.id), []);
  });
}

const broken = async () => {
  throw new Error('Something is wrong.');
};

for (const [where, parts] of [
  ['during a run', { vault: { ...deps.vault, open: broken } as never }],
  ['while the queue is read', { db: failing(/left join merchants m/, 1) }],
  ['while events are read', { db: failing(/from events/, 1) }],
] as const) {
  it(`an error ${where} ends the lease, and the queue is due again after the first pause`, async () => {
    const { shop, receiver, endpoint, deliveries } = await open();
    await shop.pixPayment();
    await fanOutEvents(deps);
    await run(parts);
    const [queue] = await queuesOf(endpoint.id);
    assert.equal(queue!.lease_id, null);
    const pause_ms = queue!.due_at.getTime() - deps.wall().getTime();
    assert.ok(Math.abs(pause_ms - RETRIES_MS[0]!) < 2_000, `${pause_ms} ms`);
    assert.equal(receiver.arrivals.length, 0);
    letPass(10_000);
    await deliver();
    assert.deepEqual(
      (await deliveries()).map(({ status }) => status),
      ['succeeded', 'succeeded'],
    );
  });
}
