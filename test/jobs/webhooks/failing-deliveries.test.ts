/** Deliveries and endpoints that fail: on real sockets, with the steps of the jobs run by the test. */

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DAY_MS, HOUR_MS } from '../../../domain/durations.ts';
import type { Json } from '../../support/service.ts';
import { assertRefused, created } from '../../support/shop.ts';
import { startDeliveringService } from '../../support/webhooks/delivering-service.ts';
import { Receiver } from '../../support/webhooks/receiver.ts';

const SCHEDULE_S = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];

const { service, open, deliver, letPass } = await startDeliveringService();
const { deps } = service;

describe('a delivery that fails', () => {
  it('is tried again by the schedule with the same id and bytes, fails, and can be sent again', async () => {
    const { shop, receiver, deliveries } = await open({ events: ['payment.created'] });
    receiver.answer = (_, response) => response.writeHead(500).end(`out of order\0${'x'.repeat(9_000)}`);
    await shop.pixPayment();
    await deliver();
    for (const pause_s of SCHEDULE_S) {
      const [{ status, next_attempt_at, error }] = await deliveries();
      assert.deepEqual([status, error.code], ['pending', 'unexpected_status']);
      const left_ms = Date.parse(next_attempt_at) - deps.wall().getTime();
      assert.ok(Math.abs(left_ms - pause_s * 1_000) < 2_000, `${left_ms} ms are left of ${pause_s} s`);
      const before = receiver.arrivals.length;
      letPass(left_ms - 1_000);
      await deliver();
      assert.equal(receiver.arrivals.length, before);
      letPass(1_500);
      await deliver();
      assert.equal(receiver.arrivals.length, before + 1);
    }
    const [failed] = await deliveries();
    assert.deepEqual([failed.status, failed.next_attempt_at, failed.attempts.length], ['failed', null, 10]);
    assert.equal(failed.error.message, 'The answer had the status 500.');
    assert.equal(failed.response_body.length, 4_096);
    assert.ok(failed.response_body.startsWith('out of order\uFFFDxxx'));
    assert.equal(new Set(receiver.arrivals.map(({ text }) => text)).size, 1);
    assert.equal(new Set(receiver.arrivals.map(({ headers }) => headers['webhook-id'])).size, 1);

    receiver.answer = (_, response) => response.end();
    const again = await shop.post(`/webhook-deliveries/${failed.id}/redeliver`);
    assert.deepEqual([again.status, again.body.status, again.body.id], [200, 'pending', failed.id]);
    await deliver();
    const [succeeded] = await deliveries();
    assert.deepEqual([succeeded.status, succeeded.attempts.length, succeeded.error], ['succeeded', 11, null]);
  });

  it('is tried again by the schedule of the merchant', async () => {
    const { shop, receiver, deliveries } = await open({ events: ['payment.created'] });
    await service.rows("update merchants set webhook_retries_ms = '{1000}' where merchant_id = :account", {
      account: shop.account,
    });
    receiver.answer = (_, response) => response.writeHead(302, { location: '/elsewhere' }).end();
    await shop.pixPayment();
    await deliver();
    letPass(1_500);
    await deliver();
    const [{ status, attempts }] = await deliveries();
    assert.deepEqual(
      [status, attempts.map(({ response_status }: Json) => response_status)],
      ['failed', [302, 302]],
    );
  });

  it('says what went wrong where no answer came', async () => {
    const { shop, receiver, deliveries, path } = await open();
    await receiver[Symbol.asyncDispose]();
    await shop.post(`${path}/ping`);
    await deliver();
    const [{ error, attempts, response_body }] = await deliveries();
    assert.deepEqual(
      [error.code, attempts[0].response_status, response_body],
      ['connection_failed', null, null],
    );
    assert.deepEqual(attempts[0].error, error);
  });
});

describe('a notification URL that fails', () => {
  it('is tried by the same schedule, and gets the next events even after 5 days', async () => {
    const { shop } = await open();
    await using own = await Receiver.start();
    own.answer = (_, response) => response.writeHead(500).end();
    const order = () => shop.placed(shop.pixOrderBody(5_000, undefined, { notification_url: own.url }));
    const deliveries = async () => {
      const { data } = await shop.get('/webhook-deliveries?event=payment.created&per_page=100');
      return data.filter(({ endpoint_id }: Json) => endpoint_id === null) as Json[];
    };
    await order();
    await deliver();
    let days = 0;
    for (const pause_s of SCHEDULE_S) {
      const [{ status, next_attempt_at }] = (await deliveries()) as [Json];
      const left_ms = Date.parse(next_attempt_at) - deps.wall().getTime();
      assert.equal(status, 'pending');
      assert.ok(Math.abs(left_ms - pause_s * 1_000) < 2_000, `${left_ms} ms are left of ${pause_s} s`);
      letPass(left_ms + 500);
      days += (left_ms + 500) / DAY_MS;
      await deliver();
    }
    const [failed] = await deliveries();
    assert.deepEqual([failed!.status, failed!.attempts.length], ['failed', 10]);
    letPass((5.1 - days) * DAY_MS);
    await order();
    await deliver();
    assert.equal((await deliveries())[0]!.status, 'pending');
    own.answer = (_, response) => response.end();
    letPass(6_000);
    await deliver();
    assert.equal((await deliveries())[0]!.status, 'succeeded');
  });
});

describe('an endpoint that fails', () => {
  it('shows since when, until a delivery succeeds', async () => {
    const { shop, receiver, path } = await open();
    receiver.answer = (_, response) => response.writeHead(500).end();
    await shop.post(`${path}/ping`);
    await deliver();
    const { failing_since } = await shop.get(path);
    assert.ok(Math.abs(Date.parse(failing_since) - deps.wall().getTime()) < 5_000);
    letPass(6_000);
    await deliver();
    assert.equal((await shop.get(path)).failing_since, failing_since);
    receiver.answer = (_, response) => response.end();
    letPass(HOUR_MS);
    await deliver();
    assert.equal((await shop.get(path)).failing_since, null);
  });

  it('for 5 days is disabled with a notice, costs nothing more, and can be enabled', async () => {
    const { shop, receiver, deliveries, path } = await open();
    receiver.answer = (_, response) => response.writeHead(500).end();
    await shop.post(`${path}/ping`);
    await deliver();
    letPass(4.9 * DAY_MS);
    await deliver();
    assert.equal((await shop.get(path)).status, 'active');
    letPass(0.2 * DAY_MS);
    await shop.pixPayment();
    await deliver();
    const { status, disabled_reason } = await shop.get(path);
    assert.equal(status, 'disabled');
    assert.match(disabled_reason, /^Every delivery failed for 5 days\. .*status 500\.$/);
    assert.deepEqual(await deliveries('&status=pending'), []);
    assert.ok(service.log.some(({ message }) => message === 'webhook endpoint disabled'));
    const before = receiver.arrivals.length;
    await shop.pixPayment();
    letPass(DAY_MS);
    await deliver();
    assert.equal(receiver.arrivals.length, before);

    receiver.answer = (_, response) => response.end();
    await shop.call('PUT', path, { body: { status: 'active' } });
    await shop.pixPayment();
    await deliver();
    assert.equal(receiver.arrivals.length, before + 2);
  });

  it('is not disabled for days without attempts, after all its deliveries have failed', async () => {
    const { shop, receiver, deliveries, path } = await open();
    receiver.answer = (_, response) => response.writeHead(500).end();
    await shop.post(`${path}/ping`);
    for (const pause_s of [0, ...SCHEDULE_S]) {
      letPass((pause_s + 1) * 1_000);
      await deliver();
    }
    assert.deepEqual(
      (await deliveries()).map(({ status, attempts }) => [status, attempts.length]),
      [['failed', 10]],
    );
    assert.equal((await shop.get(path)).failing_since, null);
    letPass(30 * DAY_MS);
    await shop.post(`${path}/ping`);
    await deliver();
    const { status, failing_since } = await shop.get(path);
    assert.equal(status, 'active');
    const failing_ms = deps.wall().getTime() - Date.parse(failing_since);
    const schedule_ms = SCHEDULE_S.reduce((sum, pause_s) => sum + pause_s * 1_000, 0);
    assert.ok(Math.abs(failing_ms - schedule_ms) < 20_000, `${failing_ms} ms, without the 30 days`);
    receiver.answer = (_, response) => response.end();
    letPass(6_000);
    await deliver();
    assert.equal((await deliveries())[0]!.status, 'succeeded');
  });

  it('and is deleted or disabled before the next attempt gets nothing more', async () => {
    for (const [method, code, body] of [
      ['DELETE', 'endpoint_deleted', undefined],
      ['PUT', 'endpoint_disabled', { status: 'disabled' }],
    ] as const) {
      const { shop, receiver, deliveries, path } = await open();
      receiver.answer = (_, response) => response.writeHead(500).end();
      const ping = await created(shop.post(`${path}/ping`));
      await deliver();
      await shop.call(method, path, body === undefined ? {} : { body });
      await deliver();
      const [delivery] = await deliveries();
      assert.deepEqual(
        [delivery.status, delivery.error.code, delivery.next_attempt_at],
        ['failed', code, null],
      );
      assert.equal(receiver.arrivals.length, 1);
      assertRefused(await shop.post(`/webhook-deliveries/${ping.id}/redeliver`), 'status');
    }
  });
});
