/** Endpoints that fail for long: with little traffic, and with much. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../domain/durations.ts';
import { RETRIES_MS } from '../../../domain/webhooks/retry-schedule.ts';
import { fanOutEvents } from '../../support/run-jobs.ts';
import { startDeliveringService } from '../../support/webhooks/delivering-service.ts';
import type { Receiver } from '../../support/webhooks/receiver.ts';

const { service, open, deliver, letPass } = await startDeliveringService();
const { deps } = service;
/** Contract row 9.4: 75 hours and 35 minutes, plus 5 seconds. */
const SCHEDULE_MS = RETRIES_MS.reduce((sum, pause_ms) => sum + pause_ms, 0);
/** A little more than a pause. */
const MARGIN_MS = SECOND_MS;

async function openDead(fields: object = {}) {
  const opened = await open(fields);
  opened.receiver.answer = (_, response) => response.writeHead(500).end();
  return { ...opened, read: () => opened.shop.get(opened.path) };
}

/** Makes the first `attempts` attempts of a new delivery. */
async function attempt(attempts: number): Promise<void> {
  await deliver();
  for (const pause_ms of RETRIES_MS.slice(0, attempts - 1)) {
    letPass(pause_ms + MARGIN_MS);
    await deliver();
  }
}

const msSince = (time: string) => deps.wall().getTime() - Date.parse(time);

it('one that gets an event every 4 days is disabled after 5 days in which deliveries were pending', async () => {
  const { shop, read, deliveries } = await openDead({ events: ['payment.created'] });
  await shop.pixPayment();
  await attempt(10);
  assert.deepEqual(
    (await deliveries()).map(({ status }) => status),
    ['failed'],
  );
  assert.equal((await read()).failing_since, null, 'nothing is pending');
  letPass(4 * DAY_MS - SCHEDULE_MS);
  await shop.pixPayment();
  await attempt(8);
  const { status, failing_since } = await read();
  assert.equal(status, 'active');
  const pending_ms = SCHEDULE_MS + 31 * HOUR_MS + 35 * MINUTE_MS;
  assert.ok(Math.abs(msSince(failing_since) - pending_ms) < MINUTE_MS, `${msSince(failing_since)} ms`);
  assert.ok(pending_ms + RETRIES_MS[7]! > 5 * DAY_MS, 'the next attempt is after the 5 days');
  letPass(RETRIES_MS[7]! + MARGIN_MS);
  await deliver();
  const disabled = await read();
  assert.deepEqual([disabled.status, disabled.failing_since], ['disabled', null]);
  assert.match(disabled.disabled_reason, /^Every delivery failed for 5 days\. .*status 500\.$/);
  assert.ok(service.log.some(({ message }) => message === 'webhook endpoint disabled'));
  assert.deepEqual(await deliveries('&status=pending'), []);
});

for (const [what, clear] of [
  [
    'a delivery succeeds',
    async (receiver: Receiver) => {
      receiver.answer = (_, response) => response.end();
    },
  ],
  [
    'it is disabled and enabled',
    async (_: Receiver, change: (status: string) => Promise<unknown>) => {
      await change('disabled');
      await change('active');
    },
  ],
] as const) {
  it(`the 5 days begin anew after ${what}, also if nothing was pending before`, async () => {
    const { shop, receiver, read, path } = await openDead({ events: ['payment.created'] });
    await shop.pixPayment();
    await attempt(10);
    letPass(DAY_MS);
    await clear(receiver, (status) => shop.call('PUT', path, { body: { status } }));
    await shop.pixPayment();
    await deliver();
    receiver.answer = (_, response) => response.writeHead(500).end();
    await shop.pixPayment();
    await attempt(9);
    const { status, failing_since } = await read();
    assert.equal(status, 'active');
    assert.ok(msSince(failing_since) < SCHEDULE_MS, `${msSince(failing_since)} ms`);
  });
}

it('one that gets many events is called after each pause, not for each event', async () => {
  const { shop, receiver, deliveries } = await openDead({ events: ['payment.created'] });
  await shop.pixPayment();
  await deliver();
  const { length } = receiver.arrivals;
  for (let i = 0; i < 8; i += 1) {
    letPass(250);
    await shop.pixPayment();
    await deliver();
  }
  assert.equal(receiver.arrivals.length, length);
  // Less than a pause that began with the last event.
  letPass(4 * SECOND_MS);
  await deliver();
  assert.ok(receiver.arrivals.length > length);
  receiver.answer = (_, response) => response.end();
  letPass(10 * MINUTE_MS);
  await deliver();
  assert.deepEqual(new Set((await deliveries()).map(({ status }) => status)), new Set(['succeeded']));
});

it('an event that arrives during a call that fails waits for the pause too', async () => {
  const { shop, receiver } = await openDead({ events: ['payment.created'] });
  await shop.pixPayment();
  await deliver();
  receiver.answer = (_, response) => {
    receiver.answer = (_, next) => next.writeHead(500).end();
    void shop
      .pixPayment()
      .then(() => fanOutEvents(deps))
      .then(() => response.writeHead(500).end());
  };
  letPass(5 * SECOND_MS + MARGIN_MS);
  await deliver();
  await deliver();
  assert.equal(receiver.arrivals.length, 2);
  letPass(5 * SECOND_MS + MARGIN_MS);
  await deliver();
  assert.equal(receiver.arrivals.length, 3);
});

it('an event that arrives long before the next attempt is sent at once', async () => {
  const { shop, receiver } = await openDead({ events: ['payment.created'] });
  await shop.pixPayment();
  await attempt(4);
  letPass(MINUTE_MS);
  receiver.answer = (_, response) => response.end();
  const { id } = await shop.pixPayment();
  await deliver();
  assert.equal(receiver.arrivals.at(-1)!.body.data.id, id);
});

it('a ping is sent at once', async () => {
  const { shop, receiver, path } = await openDead({ events: ['payment.created'] });
  await shop.pixPayment();
  await deliver();
  await shop.post(`${path}/ping`);
  await deliver();
  assert.equal(receiver.arrivals.at(-1)!.body.event, 'ping');
});
