/** Endpoints that are enabled again, or change otherwise, while a worker still has their earlier state. */

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { it } from 'node:test';
import { type QueueContents, readQueue } from '../../../db/webhooks/queue-contents.ts';
import type { LeasedQueue } from '../../../db/webhooks/queues.ts';
import { DAY_MS, HOUR_MS } from '../../../domain/durations.ts';
import { DeliveryLoop } from '../../../jobs/webhooks/delivery-loop.ts';
import { CallLimit } from '../../../services/webhooks/call-limit.ts';
import { FIRST_READ, QUEUE_LEASE_MS, runQueue } from '../../../services/webhooks/deliver.ts';
import { EventBodies } from '../../../services/webhooks/event-bodies.ts';
import { fanOutEvents } from '../../support/run-jobs.ts';
import type { Json } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { startDeliveringService } from '../../support/webhooks/delivering-service.ts';

const { service, loop, open, letPass, deliver } = await startDeliveringService();
const { deps } = service;

/** An endpoint, and its queue, on which a worker has a lease. */
async function leased() {
  const opened = await open();
  const { shop, endpoint, path } = opened;
  const setStatus = async (status: 'active' | 'disabled') => {
    const answer = await shop.call('PUT', path, { body: { status } });
    assert.equal(answer.status, 200, answer.text);
  };
  const lease = async (): Promise<LeasedQueue> => {
    const leaseId = randomUUID();
    const until = new Date(deps.wall().getTime() + QUEUE_LEASE_MS);
    const [row] = await service.rows<{ slot: number }>(
      'update webhook_queues set woken = false, lease_id = :lease, leased_until = :until where id = :id returning slot',
      { id: endpoint.id, lease: leaseId, until },
    );
    return { slot: row!.slot, merchantId: shop.account, queueId: endpoint.id, leaseId };
  };
  const run = (queue: LeasedQueue, contents: QueueContents) =>
    runQueue(deps, queue, {
      contents,
      bodies: new EventBodies(deps),
      calls: new CallLimit(),
      maxCalls: 4,
      isStopped: () => false,
    });
  return { ...opened, setStatus, lease, run };
}

const eventsAndStatuses = (deliveries: readonly Json[]) =>
  deliveries.map(({ event, status, error }) => [event, status, error?.code ?? null]);

for (const isFailing of [false, true]) {
  it(`the deliveries of an endpoint that is enabled again are sent${isFailing ? ', also if it failed before' : ''}`, async () => {
    const { shop, receiver, deliveries, path, setStatus, lease, run } = await leased();
    if (isFailing) {
      receiver.answer = (_, response) => response.writeHead(500).end();
      await shop.post(`${path}/ping`);
      await loop.runToEnd();
      receiver.answer = (_, response) => response.end();
    } else {
      await shop.post(`${path}/ping`);
    }
    await setStatus('disabled');
    const queue = await lease();
    const contents = await readQueue(deps.db, queue, FIRST_READ);
    await setStatus('active');
    await shop.pixPayment();
    await fanOutEvents(deps);
    await run(queue, contents);
    letPass(6_000);
    await deliver();
    assert.deepEqual(eventsAndStatuses(await deliveries()), [
      ['payment.updated', 'succeeded', null],
      ['payment.created', 'succeeded', null],
      ['ping', 'succeeded', null],
    ]);
  });
}

it('what was pending when an endpoint was disabled fails, and what follows when it is enabled is sent', async () => {
  const { shop, deliveries, path, setStatus, lease, run } = await leased();
  await shop.post(`${path}/ping`);
  await setStatus('disabled');
  const queue = await lease();
  await run(queue, await readQueue(deps.db, queue, FIRST_READ));
  await setStatus('active');
  await shop.pixPayment();
  await deliver();
  assert.deepEqual(eventsAndStatuses(await deliveries()), [
    ['payment.updated', 'succeeded', null],
    ['payment.created', 'succeeded', null],
    ['ping', 'failed', 'endpoint_disabled'],
  ]);
});

it('an endpoint that is enabled again during an attempt has 5 days anew', async () => {
  const { shop, receiver, path, setStatus } = await leased();
  receiver.answer = (_, response) => response.writeHead(500).end();
  await shop.post(`${path}/ping`);
  await loop.runToEnd();
  letPass(6 * DAY_MS);
  const held: ServerResponse[] = [];
  receiver.answer = (_, response) => held.push(response);
  const running = loop.runToEnd();
  await until('the attempt runs', () => held.length === 1);
  await setStatus('disabled');
  await setStatus('active');
  receiver.answer = (_, response) => response.writeHead(500).end();
  held[0]!.writeHead(500).end();
  await running;
  const { status, disabled_reason } = await shop.get(path);
  assert.deepEqual([status, disabled_reason], ['active', null]);
  letPass(6 * DAY_MS);
  await loop.runToEnd();
  await shop.post(`${path}/ping`);
  await loop.runToEnd();
  letPass(6 * DAY_MS);
  await loop.runToEnd();
  assert.equal((await shop.get(path)).status, 'disabled');
});

type Leased = Awaited<ReturnType<typeof leased>>;

for (const [what, change] of [
  [
    'it is enabled again',
    async ({ setStatus }: Leased) => {
      await setStatus('disabled');
      await setStatus('active');
    },
  ],
  [
    'the sandbox is reset',
    async ({ shop }: Leased) => {
      assert.equal((await shop.post('/sandbox/reset')).status, 200);
    },
  ],
  [
    'another worker, after the end of the lease, sends the delivery again',
    async ({ receiver }: Leased) => {
      letPass(QUEUE_LEASE_MS + 1_000);
      receiver.answer = (_, response) => response.end();
      await new DeliveryLoop(deps).runToEnd();
    },
  ],
] as const) {
  it(`an endpoint has 5 days anew if ${what} during the last attempt of its only delivery`, async () => {
    const opened = await leased();
    const { shop, receiver, path } = opened;
    await service.rows("update merchants set webhook_retries_ms = '{1000}' where merchant_id = :account", {
      account: shop.account,
    });
    const fail = async () => {
      receiver.answer = (_, response) => response.writeHead(500).end();
      await shop.post(`${path}/ping`);
      await loop.runToEnd();
    };
    await fail();
    letPass(5 * DAY_MS - HOUR_MS);
    const held: ServerResponse[] = [];
    receiver.answer = (_, response) => held.push(response);
    const running = loop.runToEnd();
    await until('the attempt runs', () => held.length === 1);
    await change(opened);
    held[0]!.writeHead(500).end();
    await running;
    await fail();
    letPass(2 * HOUR_MS);
    await fail();
    const { status, disabled_reason } = await shop.get(path);
    assert.deepEqual([status, disabled_reason], ['active', null]);
  });
}

it('an endpoint that is disabled during a first attempt, which fails, does not fail', async () => {
  const { shop, receiver, path, setStatus } = await leased();
  const held: ServerResponse[] = [];
  receiver.answer = (_, response) => held.push(response);
  await shop.post(`${path}/ping`);
  const running = loop.runToEnd();
  await until('the attempt runs', () => held.length === 1);
  await setStatus('disabled');
  held[0]!.writeHead(500).end();
  await running;
  const { status, failing_since } = await shop.get(path);
  assert.deepEqual([status, failing_since], ['disabled', null]);
});
