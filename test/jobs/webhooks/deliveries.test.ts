/** Events reach the endpoints that want them: on real sockets, with the steps of the jobs run by the test. */

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { DeliveryLoop } from '../../../jobs/webhooks/delivery-loop.ts';
import { changeMerchant } from '../../../services/merchants/change-merchant.ts';
import { newSecret } from '../../../services/webhooks/signature.ts';
import { CheckoutPage, pixBody } from '../../support/pages/checkout-page.ts';
import { fanOutEvents } from '../../support/run-jobs.ts';
import type { Json } from '../../support/service.ts';
import { created } from '../../support/shop.ts';
import { subscribed } from '../../support/subscriptions/subscription-calls.ts';
import { startDeliveringService } from '../../support/webhooks/delivering-service.ts';
import { Receiver, verified } from '../../support/webhooks/receiver.ts';

const { service, loop, open, deliver, letPass } = await startDeliveringService();
const { deps } = service;

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

  it('is sent by the present choice of its endpoint', async () => {
    const { shop, receiver, path } = await open({ events: ['payment.refunded'] });
    await shop.pixPayment();
    await deliver();
    assert.deepEqual(receiver.events, []);
    await shop.call('PUT', path, { body: { events: ['payment.created'] } });
    await shop.pixPayment();
    await deliver();
    assert.deepEqual(receiver.events, ['payment.created']);
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
  it('gets the events of its payment, unsigned, in addition to the endpoints', async () => {
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

describe('the notification URL of a subscription, or of the link at which it was started,', () => {
  it('gets its events and those of its payments, each once', async () => {
    const { shop } = await open();
    await using own = await Receiver.start();
    await using ofLink = await Receiver.start();
    const { id } = await subscribed(shop, { notification_url: own.url });
    const terms = { recurrence_interval: 'monthly', payment_methods: ['credit_card'], amount: 4_990 };
    const page = await CheckoutPage.ofLink(shop, { ...terms, notification_url: ofLink.url });
    await page.subscribed(await page.subscriptionBody());
    await deliver();
    const events: Json[] = (await shop.get('/events?per_page=100')).data;
    const names = ['subscription.created', 'payment.capture_confirmed'];
    const got = [own, ofLink].map(({ arrivals }) => arrivals.map(({ body }) => body));
    for (const bodies of got) {
      assert.deepEqual(
        names.filter((name) => !bodies.some(({ event }) => event === name)),
        [],
      );
    }
    assert.deepEqual(
      got
        .flat()
        .map((body) => body.id)
        .sort(),
      events.map((event) => event.id).sort(),
    );
    const [payment] = (await shop.get('/payments')).data.filter(
      ({ payment_link_id }: Json) => !payment_link_id,
    );
    assert.deepEqual(new Set(got[0]!.map(({ object_id }) => object_id)), new Set([id, payment.id]));
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
