import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Json } from '../../support/service.ts';
import { sharedShop } from '../../support/shared-service.ts';
import { assertRefused, Shop, UNKNOWN_ID } from '../../support/shop.ts';
import { subscribed } from '../../support/subscriptions/subscription-calls.ts';

const { shop } = await sharedShop();
const card = await shop.authorized();
const pix = await shop.pixPayment();
await shop.capture(card.id);

const names = (page: Json): string[] => page.data.map(({ event }: Json) => event);

describe('200 of listEvents', () => {
  test('lists events newest first, each with the object of its moment', async () => {
    const page = await shop.get('/events');
    assert.deepEqual(names(page), [
      'payment.capture_confirmed',
      'payment.updated',
      'payment.created',
      'payment.authorized',
      'payment.pre_authorized',
      'payment.created',
    ]);
    assert.deepEqual(page.data[0].data, await shop.payment(card.id));
    assert.equal(page.data[4].data.status, 'pre_authorized');
    assert.match(page.data[0].created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    assert.equal(new Set(page.data.map(({ id }: Json) => id)).size, 6);
  });

  test('each event names its object', async () => {
    const { data } = await shop.get('/events');
    assert.deepEqual(
      data.map(({ object_type, object_id }: Json) => [object_type, object_id]),
      data.map(({ data: payment }: Json) => ['payment', payment.id]),
    );
  });

  test('filters by name, by payment, by object, and by time', async () => {
    const page = async (query: string) => names(await shop.get(`/events?${query}`));
    assert.deepEqual(await page('event=payment.created'), ['payment.created', 'payment.created']);
    assert.deepEqual(await page(`payment_id=${pix.id}`), ['payment.updated', 'payment.created']);
    assert.deepEqual(await page(`payment_id=${pix.id.toUpperCase()}&event=payment.created`), [
      'payment.created',
    ]);
    assert.deepEqual(await page(`object_id=${card.id}&event=payment.created`), ['payment.created']);
    assert.deepEqual(await page('event=payment.refunded'), []);
    assert.equal((await page(`created_from=${card.created_at}`)).length, 6);
    assert.deepEqual(await page(`created_to=${card.created_at}`), ['payment.created']);
  });

  test('filters by a payment or a subscription, and by both ids only if they name the same payment', async () => {
    const subscribing = await Shop.open(shop.service);
    const subscription = await subscribed(subscribing);
    const list = async (query: string): Promise<Json[]> => (await subscribing.get(`/events?${query}`)).data;
    const all = await list('');
    for (const id of [subscription.id, subscription.payment.id]) {
      const own = all.filter(({ object_id }) => object_id === id);
      assert.ok(own.length > 1);
      assert.deepEqual(await list(`object_id=${id}`), own);
      const first = await subscribing.get(`/events?object_id=${id.toUpperCase()}&per_page=1`);
      const cursor = encodeURIComponent(first.pagination.next_cursor);
      assert.deepEqual([...first.data, ...(await list(`object_id=${id}&cursor=${cursor}`))], own);
    }
    assert.deepEqual(await list(`payment_id=${subscription.id}`), []);
    assert.deepEqual(await list(`payment_id=${subscription.payment.id}&object_id=${subscription.id}`), []);
    assert.deepEqual(await list(`object_id=${UNKNOWN_ID}`), []);
    assert.deepEqual(
      names(await shop.get(`/events?object_id=${subscription.id}`)),
      [],
      'of another merchant',
    );
  });

  test('pages by cursor', async () => {
    const all = await shop.get('/events');
    const first = await shop.get('/events?per_page=3');
    const cursor = encodeURIComponent(first.pagination.next_cursor);
    const second = await shop.get(`/events?per_page=3&cursor=${cursor}`);
    assert.deepEqual([...first.data, ...second.data], all.data);
    assert.deepEqual([first.pagination.has_more, second.pagination.has_more], [true, false]);
  });
});

describe('200 of getEvent', () => {
  test('returns an event by its id in either case', async () => {
    const [event] = await shop.events(card.id);
    assert.deepEqual(await shop.get(`/events/${event.id}`), event);
    assert.deepEqual(await shop.get(`/events/${event.id.toUpperCase()}`), event);
  });
});

describe('404', () => {
  for (const id of [UNKNOWN_ID, '42', '%00', '%ff']) {
    test(`no event ${id}`, async () => {
      const answer = await shop.call('GET', `/events/${id}`);
      assert.deepEqual([answer.status, Object.keys(answer.body)], [404, ['message']]);
    });
  }
});

describe('422', () => {
  for (const [query, path] of [
    ['event=payment.payed', 'event'],
    ['payment_id=42', 'payment_id'],
    ['object_id=42', 'object_id'],
    ['object_id=', 'object_id'],
    ['per_page=101', 'per_page'],
    ['cursor=%20', 'cursor'],
    ['created_from=2026-13-01', 'created_from'],
  ] as const) {
    test(query, async () => assertRefused(await shop.call('GET', `/events?${query}`), path));
  }
});
