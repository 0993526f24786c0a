/** Deliveries of a worker whose lease on a queue has ended while it waits for the receiver. */
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, it } from 'node:test';
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

it('a delivery that is added after the lease of a slow run has ended is sent', async () => {
  const shop = await Shop.open(service);
  await using receiver = await Receiver.start();
  const held: ServerResponse[] = [];
  receiver.answer = (_, response) => held.push(response);
  const { id } = await created(shop.post('/webhook-endpoints', { url: receiver.url, events: ['*'] }));
  const slow = new DeliveryLoop(deps);
  await created(shop.post(`/webhook-endpoints/${id}/ping`));
  await slow.round();
  await until('the first delivery has arrived', () => held.length === 1);

  service.setAhead(QUEUE_LEASE_MS + 1_000);
  await shop.pixPayment();
  await fanOutEvents(deps);
  receiver.answer = (_, response) => response.end('ok');
  held[0]!.end('ok');
  await slow.stop();

  await new DeliveryLoop(deps).runToEnd();
  const { data } = await shop.get(`/webhook-deliveries?endpoint_id=${id}`);
  const unsent = data.filter(({ status }: Json) => status !== 'succeeded');
  assert.deepEqual(unsent, []);
  assert.deepEqual(new Set(receiver.events), new Set(['ping', 'payment.created', 'payment.updated']));
});
