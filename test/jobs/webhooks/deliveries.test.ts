/** Events reach the endpoints that want them: on real sockets, with the steps of the jobs run by the test. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { DeliveryLoop } from '../../../jobs/webhooks/delivery-loop.ts';
import { fanOutEvents } from '../../../jobs/webhooks/fan-out.ts';
import { changeMerchant } from '../../../services/merchants/change-merchant.ts';
import { newSecret } from '../../../services/webhooks/signature.ts';
import { CheckoutPage, pixBody } from '../../support/checkout-page.ts';
import { Receiver, verified } from '../../support/receiver.ts';
import { type Json, startTestService } from '../../support/service.ts';
import { assertRefused, created } from '../../support/shop.ts';
import { openEndpoint } from '../../support/webhook-endpoint.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const SCHEDULE_S = [5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];

const service = await startTestService({ jobs: false, env: { ALLOW_PRIVATE_DESTINATIONS: 'true' } });
const { deps } = service;
const loop = new DeliveryLoop(deps);
after(() => service.stop());
let ahead_ms = 0;
const letPass = (ms: number) => {
  ahead_ms += ms;
  service.setAhead(ahead_ms);
};

const open = (fields: object = {}) => openEndpoint(service, fields);

async function deliver(): Promise<void> {
  await fanOutEvents(deps);
  await loop.runToEnd();
}

describe('an event', () => {
  it('reaches an endpoint that wants it: signed, and as GET /events/{id} answers', async () => {
    const { shop, receiver, endpoint, deliveries } = await open();
    const { id } = await shop.authorized();
    await shop.capture(id);
    await deliver();
    const events = await shop.events(id);
    assert.deepEqual(new Set(receiver.events), new Set(events.map(({ event }) => event)));
    for (const arrival of receiver.arrivals) {
      const event = verified(endpoint.secret, arrival);
      assert.deepEqual(
        event,
        events.find((one) => one.id === event.id),
      );
      assert.deepEqual(event, await shop.get(`/events/${event.id}`));
      assert.match(arrival.headers['content-type']!, /^application\/json/);
      assert.equal(arrival.headers['x-service-delivery'], arrival.headers['webhook-id']);
    }
    const [latest] = await deliveries('&event=payment.capture_confirmed');
    assert.deepEqual(
      [latest.status, latest.error, latest.next_attempt_at, latest.response_body, latest.attempts.length],
      ['succeeded', null, null, 'ok', 1],
    );
    assert.equal(latest.event_id, events.at(-1).id);
    assert.deepEqual([latest.attempts[0].response_status, latest.attempts[0].error], [200, null]);
  });

  it('is the payment as it was then, also where it has changed since', async () => {
    const { shop, receiver } = await open({ events: ['payment.pre_authorized'] });
    const { id } = await shop.authorized();
    await shop.capture(id);
    await deliver();
    assert.deepEqual(receiver.events, ['payment.pre_authorized']);
    assert.equal(receiver.arrivals[0]!.body.data.status, 'pre_authorized');
    assert.equal((await shop.payment(id)).status, 'paid');
  });

  it('is delivered once to each endpoint when several workers fan out and deliver at the same time', async () => {
    const { shop, receiver } = await open();
    const { url } = receiver;
    await created(shop.post('/webhook-endpoints', { url, events: ['*'] }));
    await Promise.all(Array.from({ length: 5 }, () => shop.pixPayment()));
    const others = Array.from({ length: 4 }, () => new DeliveryLoop(deps));
    await Promise.all([...others.map(() => fanOutEvents(deps)), ...others.map((other) => other.runToEnd())]);
    await deliver();
    const ids = receiver.arrivals.map(({ headers }) => headers['x-service-delivery']);
    assert.equal(ids.length, 20);
    assert.equal(new Set(ids).size, 20);
    assert.equal((await service.rows('select 1 from webhook_queues')).length, 0);
    assert.equal((await service.rows('select 1 from event_outbox')).length, 0);
  });

  it('that happened before the endpoint was created is not delivered', async () => {
    const { shop } = await open();
    await shop.pixPayment();
    await fanOutEvents(deps);
    const late = await Receiver.start();
    await created(shop.post('/webhook-endpoints', { url: late.url, events: ['*'] }));
    await deliver();
    assert.deepEqual(late.events, []);
    await late[Symbol.asyncDispose]();
  });

  it('gets a position in the feed, each once and without gaps', async () => {
    const { shop } = await open();
    await Promise.all(Array.from({ length: 4 }, () => shop.pixPayment()));
    await Promise.all([fanOutEvents(deps), fanOutEvents(deps), fanOutEvents(deps)]);
    await deliver();
    const rows = await service.rows<{ position: number }>(
      'select position from event_positions where merchant_id = :account order by position',
      { account: shop.account },
    );
    assert.deepEqual(
      rows.map(({ position }) => position),
      [1, 2, 3, 4, 5, 6, 7, 8],
    );
  });
});

describe('the notification URL of an order', () => {
  it('gets the events of its payment, unsigned, beside the endpoints', async () => {
    const { shop, receiver } = await open();
    await using own = await Receiver.start();
    const body = shop.pixOrderBody(5_000, undefined, { notification_url: own.url });
    const { payment } = await shop.placed(body);
    await shop.pixPayment();
    await deliver();
    assert.deepEqual(
      own.arrivals.map(({ body: { object_id } }) => object_id),
      [payment.id, payment.id],
    );
    assert.equal(own.arrivals[0]!.headers['webhook-signature'], undefined);
    assert.equal(receiver.arrivals.length, 4);
    const [delivery] = (await shop.get('/webhook-deliveries?event=payment.created')).data.filter(
      ({ url }: Json) => url === own.url,
    );
    assert.deepEqual([delivery.endpoint_id, delivery.status], [null, 'succeeded']);
  });

  it('gets them signed while the merchant has a notification secret', async () => {
    const { shop } = await open();
    await using own = await Receiver.start();
    const order = () => shop.placed(shop.pixOrderBody(5_000, undefined, { notification_url: own.url }));
    const set = (notificationSecret: string | null) =>
      changeMerchant(deps, shop.account, { notificationSecret });
    const secret = newSecret(randomBytes);
    await set(secret);
    await order();
    await deliver();
    assert.equal(own.arrivals.length, 2);
    for (const arrival of own.arrivals) {
      assert.equal(verified(secret, arrival).id, arrival.body.id);
      assert.throws(() => verified(newSecret(randomBytes), arrival));
      assert.equal(arrival.headers['webhook-id'], arrival.headers['x-service-delivery']);
    }
    await set(null);
    await order();
    await deliver();
    assert.equal(own.arrivals.length, 4);
    assert.equal(own.arrivals[3]!.headers['webhook-signature'], undefined);
  });
});

describe('the notification URL of a payment link', () => {
  it('gets the events of its payments, also after the merchant has changed it', async () => {
    const { shop } = await open();
    await using first = await Receiver.start();
    await using second = await Receiver.start();
    const page = await CheckoutPage.ofLink(shop, { notification_url: first.url });
    await page.paid(pixBody());
    await deliver();
    assert.deepEqual(first.events, ['payment.created', 'payment.updated']);
    const body = { notification_url: second.url };
    assert.equal((await shop.call('PUT', `/payment-links/${page.id}`, { body })).status, 200);
    const [payment] = (await shop.get(`/payments?payment_link_id=${page.id}`)).data;
    await shop.simulate(payment.id, 'paid');
    await deliver();
    assert.equal(first.arrivals.length, 2);
    assert.ok(second.arrivals.length > 0);
    for (const arrival of second.arrivals) assert.equal(arrival.body.object_id, payment.id);
  });

  it('gets an event once if the order has the same one', async () => {
    const { shop } = await open();
    await using own = await Receiver.start();
    await shop.placed(shop.pixOrderBody(5_000, undefined, { notification_url: own.url }));
    const [ofOrders] = deps.notificationUrls;
    await fanOutEvents({ ...deps, notificationUrls: [ofOrders!, ofOrders!] });
    await loop.runToEnd();
    assert.equal(own.arrivals.length, 2);
  });
});

describe('a ping', () => {
  it('is signed, has no event, and its body is the same on each attempt', async () => {
    const { shop, receiver, endpoint, path } = await open({ events: ['payment.refunded'] });
    receiver.answer = (_, response) => response.writeHead(503).end();
    const ping = await created(shop.post(`${path}/ping`));
    await deliver();
    letPass(6_000);
    receiver.answer = (_, response) => response.end();
    await deliver();
    const [first, second] = receiver.arrivals;
    assert.deepEqual(verified(endpoint.secret, first!), {
      id: ping.id,
      event: 'ping',
      created_at: ping.created_at,
      environment: 'sandbox',
      data: {},
    });
    assert.equal(second!.text, first!.text);
    assert.equal((await shop.get(`/webhook-deliveries/${ping.id}`)).status, 'succeeded');
  });
});

describe('the secrets of an endpoint', () => {
  it('both sign for a day after a rotation, then the new one alone', async () => {
    const { shop, receiver, endpoint, path } = await open();
    const { secret } = (await shop.post(`${path}/rotate-secret`)).body;
    const ping = async () => {
      await shop.post(`${path}/ping`);
      await deliver();
      return receiver.arrivals.at(-1)!;
    };
    const during = await ping();
    assert.equal((during.headers['webhook-signature'] as string).split(' ').length, 2);
    for (const one of [secret, endpoint.secret]) verified(one, during);
    letPass(25 * HOUR_MS);
    const later = await ping();
    assert.equal((later.headers['webhook-signature'] as string).split(' ').length, 1);
  });

  it('may be none: then nothing is signed', async () => {
    const { shop, receiver, path } = await open({ secret: null });
    await shop.post(`${path}/ping`);
    await deliver();
    const [{ headers }] = receiver.arrivals as [Receiver['arrivals'][number]];
    assert.deepEqual(
      Object.keys(headers).filter((name) => name.startsWith('webhook-')),
      [],
    );
    assert.match(headers['x-service-delivery'] as string, /^[0-9a-f-]{36}$/);
  });
});

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

  it('and is deleted or disabled meanwhile gets nothing more', async () => {
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

describe('a merchant that empties its sandbox', () => {
  it('keeps its endpoints, and nothing old is delivered', async () => {
    const { shop, receiver, path } = await open();
    await shop.pixPayment();
    await fanOutEvents(deps);
    await shop.pixPayment();
    assert.equal((await shop.post('/sandbox/reset')).status, 200);
    await deliver();
    assert.deepEqual(receiver.events, []);
    assert.deepEqual((await shop.get('/webhook-deliveries')).data, []);
    await shop.post(`${path}/ping`);
    await deliver();
    assert.deepEqual(receiver.events, ['ping']);
  });
});
