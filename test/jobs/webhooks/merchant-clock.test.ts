/** Deliveries live in wall time, whatever a merchant's clock says (contract row 9.4). */

import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { DAY_MS } from '../../../domain/durations.ts';
import { advance } from '../../support/clock-calls.ts';
import type { Json } from '../../support/service.ts';
import { startDeliveringService } from '../../support/webhooks/delivering-service.ts';
import { Receiver, verified } from '../../support/webhooks/receiver.ts';

const { service, open, deliver, letPass } = await startDeliveringService();
const { deps } = service;
const YEAR_DAYS = 365;

const isNearWall = (time: string, offset_ms = 0) =>
  Math.abs(Date.parse(time) - deps.wall().getTime() - offset_ms) < 5_000;

it('a clock that is moved sends no retry earlier, and disables no endpoint that fails', async () => {
  const { shop, receiver, deliveries, path } = await open({ events: ['payment.created'] });
  const notified = await Receiver.start();
  after(() => notified[Symbol.asyncDispose]());
  for (const each of [receiver, notified]) each.answer = (_, response) => response.writeHead(500).end();
  await shop.placed(shop.pixOrderBody(5_000, undefined, { notification_url: notified.url }));
  await deliver();
  const counts = () => [receiver.arrivals.length, notified.arrivals.length];
  const before = counts();
  const [{ next_attempt_at }] = await deliveries();
  assert.ok(isNearWall(next_attempt_at, 5_000), next_attempt_at);

  await advance(shop, { days: YEAR_DAYS });
  await deliver();
  const [delivery] = await deliveries();
  assert.deepEqual([delivery.status, delivery.next_attempt_at, counts()[0]], ['pending', next_attempt_at, 1]);
  // The Pix has expired meanwhile. This event waits until the host is tried again.
  assert.ok(counts()[1]! >= before[1]!);
  assert.equal((await shop.get(path)).status, 'active');

  letPass(6_000);
  await deliver();
  assert.equal(receiver.arrivals.length, 2);
  const [again] = await deliveries();
  assert.ok(isNearWall(again.next_attempt_at, 300_000), 'the second pause of the schedule');
});

it("the times of a delivery are wall time, and that of its event is the merchant's", async () => {
  const { shop, receiver, endpoint, deliveries } = await open({ events: ['payment.created'] });
  await advance(shop, { days: YEAR_DAYS });
  await shop.pixPayment();
  await deliver();
  const [{ created_at, attempts }] = await deliveries();
  const times = [created_at, ...attempts.map(({ attempted_at }: Json) => attempted_at)];
  assert.deepEqual(
    times.filter((time) => !isNearWall(time)),
    [],
  );
  const [arrival] = receiver.arrivals;
  assert.ok(isNearWall(new Date(Number(arrival!.headers['webhook-timestamp']) * 1_000).toISOString()));
  const event = arrival!.body;
  assert.ok(isNearWall(event.created_at, YEAR_DAYS * DAY_MS), event.created_at);
  // A receiver refuses a signature that is not recent, by the time that it has.
  service.setAhead(0);
  assert.deepEqual(verified(endpoint.secret, arrival!), event);
});
