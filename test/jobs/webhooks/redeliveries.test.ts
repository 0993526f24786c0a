/** Deliveries that are requested again while something else happens to them. */
import assert from 'node:assert/strict';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { describe, it } from 'node:test';
import { readQueue } from '../../../db/webhooks/queue-contents.ts';
import { writeResults } from '../../../services/webhooks/move-delivery.ts';
import type { Json } from '../../support/service.ts';
import type { Shop } from '../../support/shop.ts';
import { until } from '../../support/until.ts';
import { startDeliveringService } from '../../support/webhooks/delivering-service.ts';
import { Receiver } from '../../support/webhooks/receiver.ts';

const { service, loop, open, letPass, deliver } = await startDeliveringService();
const { deps } = service;

/** A delivery with failed attempts, and the next one running. The receiver answers that when `answer` is called. */
async function running(failed: number, before: (shop: Shop) => Promise<unknown> = async () => {}) {
  const opened = await open();
  const { shop, receiver, path } = opened;
  const held: ServerResponse[] = [];
  const hold = () => {
    receiver.answer = (_, response) => held.push(response);
  };
  receiver.answer = (_, response) => response.writeHead(500).end();
  const { id } = (await shop.post(`${path}/ping`)).body;
  if (failed === 0) hold();
  let run = loop.runToEnd();
  for (let i = 1; i <= failed; i += 1) {
    await run;
    if (i === failed) {
      hold();
      await before(shop);
    }
    const { next_attempt_at } = await shop.get(`/webhook-deliveries/${id}`);
    letPass(Date.parse(next_attempt_at) - deps.wall().getTime() + 1_000);
    run = loop.runToEnd();
  }
  await until('the attempt runs', () => held.length === 1);
  const delivery = (): Promise<Json> => shop.get(`/webhook-deliveries/${id}`);
  const redeliver = async () => {
    const { status, text } = await shop.post(`/webhook-deliveries/${id}/redeliver`);
    assert.equal(status, 200, text);
  };
  const answer = async (status: number) => {
    receiver.answer = (_, response) => response.end('again');
    held[0]!.writeHead(status).end(`answer ${status}`);
    await run;
  };
  return { ...opened, delivery, redeliver, answer };
}

const statuses = ({ attempts }: Json) => attempts.map(({ response_status }: Json) => response_status);

const DELIVERY = 'x-service-delivery';
const sameDelivery = (one: IncomingHttpHeaders, other: IncomingHttpHeaders) =>
  one[DELIVERY] === other[DELIVERY];

describe('a delivery that is requested again during an attempt', () => {
  for (const [what, failed, status] of [
    ['a retry that succeeds', 2, 200],
    ['a retry that fails', 2, 500],
    ['the last retry, which fails', 9, 500],
    ['a first attempt that succeeds', 0, 200],
    ['a first attempt that fails', 0, 500],
  ] as const) {
    it(`has both attempts: ${what}`, async () => {
      const { receiver, delivery, redeliver, answer } = await running(failed);
      await redeliver();
      await answer(status);
      const done = await delivery();
      const before = Array.from({ length: failed }, () => 500);
      assert.deepEqual(statuses(done), [...before, status, 200]);
      assert.deepEqual(
        [done.status, done.error, done.next_attempt_at, done.response_body],
        ['succeeded', null, null, 'again'],
      );
      assert.equal(receiver.arrivals.length, failed + 2);
    });
  }

  it('starts its schedule again, although the attempt ends later', async () => {
    const { receiver, delivery, redeliver, answer } = await running(2);
    await redeliver();
    const requestedAt = deps.wall().getTime();
    const failing = answer(500);
    receiver.answer = (_, response) => response.writeHead(503).end();
    await failing;
    const { status, next_attempt_at, ...done } = await delivery();
    assert.deepEqual(statuses(done), [500, 500, 500, 503]);
    const pause_ms = Date.parse(next_attempt_at) - requestedAt;
    assert.equal(status, 'pending');
    assert.ok(pause_ms >= 5_000 && pause_ms < 60_000, `${pause_ms} ms, the first pause of the schedule`);
  });

  it('keeps at most 50 attempts', async () => {
    const { delivery, redeliver, answer } = await running(1, ({ account }) =>
      service.rows(
        `update webhook_deliveries set attempts = to_jsonb(array_fill(attempts -> 0, array[50]))
          where merchant_id = :account`,
        { account },
      ),
    );
    await redeliver();
    assert.equal((await delivery()).attempts.length, 50);
    await answer(404);
    const all = statuses(await delivery());
    assert.deepEqual([all.length, all.slice(-3)], [50, [500, 404, 200]]);
  });
});

it('a delivery to a notification URL is sent again, the same as before', async () => {
  const { shop } = await open();
  await using own = await Receiver.start();
  own.answer = (_, response) => response.writeHead(500).end();
  await service.rows("update merchants set webhook_retries_ms = '{}' where merchant_id = :account", {
    account: shop.account,
  });
  const { payment } = await shop.placed(shop.pixOrderBody(5_000, undefined, { notification_url: own.url }));
  await deliver();
  const notifications = async (): Promise<Json[]> =>
    (await shop.get('/webhook-deliveries')).data.filter(({ endpoint_id }: Json) => endpoint_id === null);
  const failed = await notifications();
  assert.deepEqual(
    failed.map(({ status, url }) => [status, url]),
    [
      ['failed', own.url],
      ['failed', own.url],
    ],
  );
  own.answer = (_, response) => response.end();
  const before = own.arrivals.length;
  for (const { id } of failed) {
    const { status, body } = await shop.post(`/webhook-deliveries/${id}/redeliver`);
    assert.deepEqual([status, body.id, body.status, body.endpoint_id], [200, id, 'pending', null]);
  }
  await deliver();
  const [first, second] = own.arrivals.slice(before);
  for (const arrival of [first!, second!]) {
    const earlier = own.arrivals.find(({ headers }) => sameDelivery(headers, arrival.headers))!;
    assert.notEqual(earlier, arrival);
    assert.equal(earlier.text, arrival.text);
    assert.equal(arrival.body.object_id, payment.id);
  }
  assert.equal(own.arrivals.length, before + 2);
  assert.deepEqual(
    (await notifications()).map(({ status, attempts }) => [status, attempts.length]),
    [
      ['succeeded', 2],
      ['succeeded', 2],
    ],
  );
});

it('a worker that is late does not add its attempt to those of another worker and of a redelivery', async () => {
  const { shop, endpoint, path, receiver } = await open();
  receiver.answer = (_, response) => response.writeHead(500).end();
  const { id } = (await shop.post(`${path}/ping`)).body;
  await loop.runToEnd();
  letPass(6_000);
  const [{ slot }] = (await service.rows<{ slot: number }>(
    'select slot from merchants where merchant_id = :account',
    { account: shop.account },
  )) as [{ slot: number }];
  const queue = { slot, merchantId: shop.account, queueId: endpoint.id as string, leaseId: endpoint.id };
  const { pending } = await readQueue(deps.db, queue, 10);
  await loop.runToEnd();
  await shop.post(`/webhook-deliveries/${id}/redeliver`);
  const before = await shop.get(`/webhook-deliveries/${id}`);
  assert.equal(before.attempts.length, 2);
  const patch = { scheduleStep: 2, nextAttemptAt: null, attempts: pending[0]!.attempts };
  await writeResults(deps.db, queue, [{ delivery: pending[0]!, move: 'succeed', patch }]);
  assert.deepEqual(await shop.get(`/webhook-deliveries/${id}`), before);
  await deliver();
});
