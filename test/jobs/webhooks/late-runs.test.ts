/** Deliveries that are added while a worker waits for the receiver of earlier ones. */
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, it } from 'node:test';
import { wakeQueues } from '../../../db/webhooks/queues.ts';
import { DeliveryLoop } from '../../../jobs/webhooks/delivery-loop.ts';
import { fanOutEvents } from '../../../jobs/webhooks/fan-out.ts';
import { QUEUE_LEASE_MS } from '../../../services/webhooks/deliver.ts';
import { Receiver } from '../../support/receiver.ts';
import { type Json, startTestService } from '../../support/service.ts';
import { created, Shop } from '../../support/shop.ts';
import { until } from '../../support/until.ts';

const service = await startTestService({ jobs: false, env: { ALLOW_PRIVATE_DESTINATIONS: 'true' } });
const { deps } = service;
after(() => service.stop());

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
