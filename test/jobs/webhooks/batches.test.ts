/** What a worker reads and sends for many deliveries at once. */
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, it } from 'node:test';
import { DeliveryLoop } from '../../../jobs/webhooks/delivery-loop.ts';
import { recordStatements } from '../../support/db/recorded-statements.ts';
import { fanOutEvents } from '../../support/run-jobs.ts';
import { startTestService } from '../../support/service.ts';
import { created } from '../../support/shop.ts';
import { until } from '../../support/until.ts';
import { openEndpoint } from '../../support/webhooks/webhook-endpoint.ts';

const CALLS = 64;

const service = await startTestService({ jobs: false, env: { ALLOW_PRIVATE_DESTINATIONS: 'true' } });
const { deps } = service;
after(() => service.stop());

it('an event is read once for all endpoints', async () => {
  const { shop, receiver } = await openEndpoint(service);
  const more = () => created(shop.post('/webhook-endpoints', { url: receiver.url, events: ['*'] }));
  await Promise.all(Array.from({ length: 3 }, more));
  await shop.pixPayment();
  await fanOutEvents(deps);
  const { db, statements } = recordStatements(deps.db);
  await new DeliveryLoop({ ...deps, db }).runToEnd();
  assert.equal(receiver.arrivals.length, 4 * 2);
  assert.equal(statements.filter((sql) => /\b(from|join) events\b/.test(sql)).length, 1);
});

it('a body has the bytes of the event as a GET returns it', async () => {
  const { shop, receiver } = await openEndpoint(service);
  await shop.pixPayment();
  await fanOutEvents(deps);
  await new DeliveryLoop(deps).runToEnd();
  for (const { text, body } of receiver.arrivals) {
    assert.equal(text, (await shop.call('GET', `/events/${body.id}`)).text);
  }
});

it('no attempt begins after one of its batch has failed', async () => {
  const { receiver, endpoint } = await openEndpoint(service);
  const answered = 100;
  receiver.answer = (_, response) =>
    response.writeHead(receiver.arrivals.length > answered ? 500 : 200).end();
  await service.rows(
    `with added as (
       insert into webhook_deliveries (slot, merchant_id, id, queue_id, endpoint_id, url, event, next_attempt_at, created_at)
       select slot, merchant_id, gen_random_uuid(), id, id, url, 'ping', now(), now()
         from webhook_endpoints, generate_series(1, 1000) where id = :id)
     insert into webhook_queues (slot, merchant_id, id, due_at)
     select slot, merchant_id, id, now() from webhook_endpoints where id = :id`,
    { id: endpoint.id },
  );
  const loop = new DeliveryLoop(deps);
  await loop.round();
  const released = 'select 1 from webhook_queues where id = :id and lease_id is null';
  await until(
    'the run has ended',
    async () => (await service.rows(released, { id: endpoint.id })).length > 0,
  );
  await loop.stop();
  const attempts = receiver.arrivals.length;
  // The batch in which the first one fails, and the next one, in which all fail.
  assert.ok(attempts > answered && attempts <= answered + 2 * CALLS, `${attempts} attempts`);
});

it('a run begins with as many calls as the last one of its queue ended with', async () => {
  const { shop, receiver } = await openEndpoint(service, { events: ['payment.created', 'payment.updated'] });
  const loop = new DeliveryLoop(deps);
  const pay = async (payments: number) => {
    for (let i = 0; i < payments; i += 1) await shop.pixPayment();
    await fanOutEvents(deps);
    await loop.round();
  };
  await pay(8);
  await loop.settled();
  const held: ServerResponse[] = [];
  receiver.answer = (_, response) => held.push(response);
  await pay(8);
  // A new queue begins with four.
  await until('eight calls wait', () => held.length === 8);
  receiver.answer = (_, response) => response.end();
  for (const response of held) response.end();
  await loop.settled();

  receiver.answer = (_, response) => response.writeHead(500).end();
  await pay(1);
  await loop.settled();
  receiver.answer = (_, response) => held.push(response);
  held.length = 0;
  service.setAhead(10_000);
  await pay(8);
  await until('four calls wait', () => held.length === 4);
  for (const response of held) response.end();
  receiver.answer = (_, response) => response.end();
  await loop.settled();
});
