import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { webhooks } from '../../../jobs/webhooks/area.ts';
import { DeliveryLoop } from '../../../jobs/webhooks/delivery-loop.ts';
import { fanOutEvents } from '../../support/run-jobs.ts';
import { startTestService } from '../../support/service.ts';
import { created, Shop } from '../../support/shop.ts';
import { until } from '../../support/until.ts';
import { Receiver } from '../../support/webhooks/receiver.ts';
import { openEndpoint } from '../../support/webhooks/webhook-endpoint.ts';

const service = await startTestService({ jobs: false, env: { ALLOW_PRIVATE_DESTINATIONS: 'true' } });
after(() => service.stop());

it('the process that creates deliveries sends them at once, each to its endpoint', async () => {
  const [fanOut, deliveries] = webhooks.jobs!(service.deps);
  const targets = await Promise.all(
    Array.from({ length: 12 }, async () => {
      const shop = await Shop.open(service);
      const receiver = await Receiver.start();
      after(() => receiver[Symbol.asyncDispose]());
      await created(shop.post('/webhook-endpoints', { url: receiver.url, events: ['payment.created'] }));
      return { receiver, payment: await shop.pixPayment() };
    }),
  );
  await fanOut!.runOnce();
  await until('all have arrived', () => targets.every(({ receiver }) => receiver.arrivals.length > 0));
  await deliveries!.stop!();
  for (const { receiver, payment } of targets) {
    assert.deepEqual(
      receiver.arrivals.map(({ body }) => body.data.id),
      [payment.id],
    );
  }
  assert.deepEqual(await service.rows('select id from webhook_queues'), []);
});

it('a run that ends after its time is followed by the next one at once', async (t) => {
  const { shop, receiver } = await openEndpoint(service);
  for (let i = 0; i < 8; i += 1) await shop.pixPayment();
  await fanOutEvents(service.deps);
  const { now } = performance;
  let ahead_ms = 0;
  t.mock.method(performance, 'now', () => now.call(performance) + ahead_ms);
  receiver.answer = (_, response) => {
    ahead_ms = 11_000;
    response.end();
  };
  const loop = new DeliveryLoop(service.deps);
  await loop.round();
  await loop.settled();
  assert.equal(receiver.arrivals.length, 16);
  assert.deepEqual(await service.rows('select id from webhook_queues'), []);
});
