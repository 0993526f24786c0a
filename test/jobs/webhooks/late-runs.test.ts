/**
 * Workers that are late: deliveries are added, or another worker has taken the lease, before they write their results.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { after, describe, it } from 'node:test';
import { insertFirstResults } from '../../../db/webhooks/first-results.ts';
import { readQueue } from '../../../db/webhooks/queue-contents.ts';
import { wakeQueues } from '../../../db/webhooks/queues.ts';
import { DeliveryLoop } from '../../../jobs/webhooks/delivery-loop.ts';
import { restoreQueues } from '../../../jobs/webhooks/restore-queues.ts';
import { QUEUE_LEASE_MS } from '../../../services/webhooks/deliver.ts';
import { writeResults } from '../../../services/webhooks/move-delivery.ts';
import { recordStatements } from '../../support/db/recorded-statements.ts';
import { fanOutEvents } from '../../support/run-jobs.ts';
import type { Json } from '../../support/service.ts';
import { created, Shop } from '../../support/shop.ts';
import { until } from '../../support/until.ts';
import { startDeliveringService } from '../../support/webhooks/delivering-service.ts';
import { Receiver } from '../../support/webhooks/receiver.ts';

const { service, loop, open, letPass } = await startDeliveringService();
const { deps } = service;

/** A worker that has sent a ping. The receiver answers it when `answer` is called. */
async function slowRun() {
  const shop = await Shop.open(service);
  const receiver = await Receiver.start();
  after(() => receiver[Symbol.asyncDispose]());
  const held: ServerResponse[] = [];
  receiver.answer = (_, response) => held.push(response);
  const { id } = await created(shop.post('/webhook-endpoints', { url: receiver.url, events: ['*'] }));
  const worker = new DeliveryLoop(deps);
  await created(shop.post(`/webhook-endpoints/${id}/ping`));
  await worker.round();
  await until('the ping has arrived', () => held.length === 1);
  const answer = () => {
    receiver.answer = (_, response) => response.end('ok');
    held[0]!.end('ok');
  };
  return { shop, receiver, id: id as string, worker, answer };
}

it('a delivery that is added after the lease of a slow run has ended is sent', async () => {
  const { shop, receiver, id, worker, answer } = await slowRun();
  service.setAhead(QUEUE_LEASE_MS + 1_000);
  await shop.pixPayment();
  await fanOutEvents(deps);
  answer();
  await worker.stop();
  await new DeliveryLoop(deps).runToEnd();
  const { data } = await shop.get(`/webhook-deliveries?endpoint_id=${id}`);
  service.setAhead(0);
  const unsent = data.filter(({ status }: Json) => status !== 'succeeded');
  assert.deepEqual(unsent, []);
  assert.deepEqual(new Set(receiver.events), new Set(['ping', 'payment.created', 'payment.updated']));
});

it('the end of a run waits for a transaction that adds a delivery, and keeps the queue', async () => {
  const { shop, id, worker, answer } = await slowRun();
  const sql = 'select slot, merchant_id from merchants where merchant_id = :id';
  const [row] = await service.rows<{ slot: number }>(sql, { id: shop.account });
  const merchant = { slot: row!.slot, merchantId: shop.account };
  await deps.db.transaction(merchant, async (tx) => {
    await wakeQueues(tx, merchant, [id], deps.wall());
    answer();
    await until('the end of the run waits', async () => {
      const waiting = await service.rows(
        "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      return waiting.length > 0;
    });
  });
  await worker.stop();
  const queues = await service.rows('select lease_id, woken, due_at <= now() as is_due from webhook_queues');
  assert.deepEqual(queues, [{ lease_id: null, woken: true, is_due: true }]);
});

describe('a process whose lease has ended', () => {
  it('does not write its results again', async () => {
    const { endpoint, deliveries, queue } = await stalled();
    const { pending } = await readQueue(deps.db, queue, 10);
    await loop.runToEnd();
    const before = await deliveries();
    const results = pending.map((delivery) => ({ delivery, unsent: delivery.unsent! }));
    assert.equal(results.length, 2);
    await insertFirstResults(deps.db, queue, { queueId: endpoint.id, results });
    assert.deepEqual(await deliveries(), before);
  });

  it('and whose attempts failed makes the queue due, in which another process saw other results', async () => {
    const { receiver, deliveries, lease, queues } = await stalled();
    const queue = await lease();
    const { pending } = await readQueue(deps.db, queue, 10);
    const nextAttemptAt = new Date(deps.wall().getTime() + QUEUE_LEASE_MS + 10_000);
    const failed = pending.map((delivery) => {
      const error = { code: 'timed_out', message: 'Too slow.' };
      return { delivery, move: 'retry' as const, patch: { nextAttemptAt, scheduleStep: 1, error } };
    });
    letPass(QUEUE_LEASE_MS + 1_000);
    let writing: Promise<void> | undefined;
    receiver.answer = (_, response) => {
      writing ??= writeResults(deps.db, queue, failed, { queue, nextDueAt: nextAttemptAt });
      writing.then(() => response.end());
    };
    await loop.runToEnd();
    await writing;
    assert.deepEqual(
      (await deliveries()).map(({ status, error }) => [status, error.code]),
      [
        ['pending', 'timed_out'],
        ['pending', 'timed_out'],
      ],
    );
    assert.deepEqual(await queues(), [{ lease_id: null }]);
    letPass(10_000);
    await loop.runToEnd();
    assert.deepEqual(
      (await deliveries()).map(({ status }) => status),
      ['succeeded', 'succeeded'],
    );
    assert.deepEqual(await queues(), []);
  });

  it('and whose attempts failed makes the queue due that another process has deleted', async () => {
    const { lease, queues } = await stalled();
    const queue = await lease();
    letPass(QUEUE_LEASE_MS + 1_000);
    await loop.runToEnd();
    assert.deepEqual(await queues(), []);
    await writeResults(deps.db, queue, [], { queue, nextDueAt: deps.wall() });
    assert.deepEqual(await queues(), [{ lease_id: null }]);
    await writeResults(deps.db, queue, [], { queue, nextDueAt: null });
    await loop.runToEnd();
    assert.deepEqual(await queues(), []);
  });
});

/** An endpoint with two unsent deliveries, whose queue a process can lease and then do nothing. */
async function stalled() {
  const opened = await open();
  const { shop, endpoint } = opened;
  await shop.pixPayment();
  await fanOutEvents(deps);
  const [row] = await service.rows<{ slot: number }>(
    'select slot from merchants where merchant_id = :account',
    { account: shop.account },
  );
  const queue = { slot: row!.slot, merchantId: shop.account, queueId: endpoint.id as string };
  const lease = async () => {
    const leaseId = randomUUID();
    await service.rows('update webhook_queues set lease_id = :lease, leased_until = :until where id = :id', {
      id: endpoint.id,
      lease: leaseId,
      until: new Date(deps.wall().getTime() + QUEUE_LEASE_MS),
    });
    return { ...queue, leaseId };
  };
  const queues = () =>
    service.rows('select lease_id from webhook_queues where id = :id', { id: endpoint.id });
  return { ...opened, queue, lease, queues };
}

it('unsent and other pending deliveries are read in one statement, so that none is missed on its way', async () => {
  const { queue } = await stalled();
  const { db, statements } = recordStatements(deps.db);
  assert.equal((await readQueue(db, queue, 10)).pending.length, 2);
  const reads = statements.filter((sql) => /webhook_deliveries/.test(sql));
  assert.equal(reads.length, 1);
  await loop.runToEnd();
});

it('a queue that is missing is inserted again, and counted', async () => {
  const { receiver, queues } = await stalled();
  receiver.answer = (_, response) => response.writeHead(500).end();
  await loop.runToEnd();
  const other = await stalled();
  await service.rows('delete from webhook_queues');
  let restored = 0;
  const counting = { ...deps, countRestoredQueue: () => (restored += 1) };
  await restoreQueues(counting);
  assert.equal(restored, 2);
  assert.deepEqual([await queues(), await other.queues()], [[{ lease_id: null }], [{ lease_id: null }]]);
  await restoreQueues(counting);
  assert.equal(restored, 2);
  await loop.runToEnd();
  assert.equal(other.receiver.arrivals.length, 2);
  assert.ok(service.log.some(({ message }) => message === 'webhook queue restored'));
});
