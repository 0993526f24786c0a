/** A slow receiver delays no other. */
import assert from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, it } from 'node:test';
import { DeliveryLoop } from '../../../jobs/webhooks/delivery-loop.ts';
import { fanOutEvents } from '../../support/run-jobs.ts';
import { startTestService } from '../../support/service.ts';
import { created } from '../../support/shop.ts';
import { until } from '../../support/until.ts';
import { addEndpoints } from '../../support/webhooks/endpoint-rows.ts';
import { Receiver } from '../../support/webhooks/receiver.ts';
import { openEndpoint } from '../../support/webhooks/webhook-endpoint.ts';

/** Few enough for a busy machine. */
const SLOW = 200;
const HEALTHY = 200;
/** Before the first slow one times out. */
const LONGEST_MS = 8_000;
const ENDPOINTS_PER_MERCHANT = 20;

const service = await startTestService({ jobs: false, env: { ALLOW_PRIVATE_DESTINATIONS: 'true' } });
const { deps } = service;
const silent: ServerResponse[] = [];
let arrived = 0;
const server = createServer((request, response) => {
  request.resume();
  if (request.url === '/slow') silent.push(response);
  else {
    arrived += 1;
    response.end();
  }
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', 1_024, resolve));
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
after(async () => {
  server.closeAllConnections();
  server.close();
  await service.stop();
});

it(`delivers to ${HEALTHY} receivers within ${LONGEST_MS} ms behind ${SLOW} that do not answer`, async () => {
  const add = (path: string, count: number, due: string) =>
    addEndpoints(service, {
      url: url + path,
      merchants: count / ENDPOINTS_PER_MERCHANT,
      endpoints: ENDPOINTS_PER_MERCHANT,
      due,
    });
  await add('/slow', SLOW, '2026-01-01T00:00:00Z');
  await add('/healthy', HEALTHY, '2026-01-02T00:00:00Z');
  const loop = new DeliveryLoop(deps);
  const started = performance.now();
  await loop.round();
  await until('all have arrived', () => arrived === HEALTHY);
  const took_ms = performance.now() - started;
  await until('every slow receiver was called', () => silent.length === SLOW);
  assert.ok(took_ms <= LONGEST_MS, `took ${Math.round(took_ms)} ms`);
  for (const response of silent) response.end();
  await loop.stop();
  const left = await service.rows("select 1 from webhook_deliveries where status <> 'succeeded'");
  assert.equal(left.length, 0);
});

it('slow hosts of notification URLs wait for each other, and delay no endpoint of their merchant', async () => {
  const { shop, receiver } = await openEndpoint(service, { events: ['payment.created'] });
  const loop = new DeliveryLoop(deps, { notificationQueues: 2 });
  const held: ServerResponse[] = [];
  const order = async () => {
    const host = await Receiver.start();
    after(() => host[Symbol.asyncDispose]());
    host.answer = (_, response) => held.push(response);
    await shop.placed(shop.pixOrderBody(5_000, undefined, { notification_url: host.url }));
    await fanOutEvents(deps);
    return host;
  };
  const hosts = [await order(), await order()];
  await loop.round();
  await until('both are called', () => hosts.every(({ arrivals }) => arrivals.length === 2));
  const third = await order();
  await loop.round();
  await until('the endpoint has all', () => receiver.arrivals.length === 3);
  assert.equal(third.arrivals.length, 0);
  for (const response of held) response.end();
  await loop.settled();
  third.answer = (_, response) => response.end();
  await loop.round();
  await loop.settled();
  assert.equal(third.arrivals.length, 2);
});

it('receivers that answer slowly leave room for others', async () => {
  const [first, second, other] = [
    await openEndpoint(service),
    await openEndpoint(service),
    await openEndpoint(service),
  ];
  // Every answer counts as slow.
  const loop = new DeliveryLoop(deps, { slowQueues: 1, slowAfter_ms: 0 });
  const ping = async ({ shop, path }: typeof first) => created(shop.post(`${path}/ping`));
  const round = async (...endpoints: (typeof first)[]) => {
    for (const endpoint of endpoints) await ping(endpoint);
    return loop.round();
  };
  await round(first, second);
  await loop.settled();
  let answer = () => {};
  first.receiver.answer = (_, response) => {
    answer = () => response.end();
  };
  assert.equal(await round(first), 1);
  await until('the first one is called', () => first.receiver.arrivals.length === 2);
  assert.equal(await round(second, other), 1);
  await until('the other one is called', () => other.receiver.arrivals.length === 1);
  assert.equal(second.receiver.arrivals.length, 1);
  answer();
  await loop.settled();
  assert.equal(await loop.round(), 1);
  await loop.settled();
  assert.equal(second.receiver.arrivals.length, 2);
});

it('no more queues than the maximum are in progress', async () => {
  const endpoints = [await openEndpoint(service), await openEndpoint(service)];
  const held: ServerResponse[] = [];
  for (const { shop, receiver, path } of endpoints) {
    receiver.answer = (_, response) => held.push(response);
    await created(shop.post(`${path}/ping`));
  }
  const loop = new DeliveryLoop(deps, { queues: 1 });
  assert.equal(await loop.round(), 1);
  assert.equal(await loop.round(), 0);
  await until('one is called', () => held.length === 1);
  held[0]!.end();
  await loop.settled();
  assert.equal(await loop.round(), 1);
  await until('the other one is called', () => held.length === 2);
  held[1]!.end();
  await loop.settled();
});
