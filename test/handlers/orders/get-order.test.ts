import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sharedShop } from '../../support/shared-service.ts';
import { Shop, UNKNOWN_ID } from '../../support/shop.ts';

const { service, shop } = await sharedShop();
const whole = {
  description: 'Curso de fotografia',
  notification_url: 'https://hooks.loja.invalid/pedidos',
  items: [{ name: 'Apostila', quantity: 2, amount: 2_500 }],
  metadata: { campaign: 'black-friday' },
};
const order = await shop.placed({ ...shop.pixOrderBody(5_000, undefined, whole), code: 'pedido/1?a=b' });
const read = (identifier: string) => shop.get(`/charges/orders/${encodeURIComponent(identifier)}`);

describe('200', () => {
  test('returns the created record, by id in either case and by code', async () => {
    for (const identifier of [order.id, order.id.toUpperCase(), order.code]) {
      assert.deepEqual(await read(identifier), order, identifier);
    }
    const plain = await shop.placed(await shop.cardOrderBody());
    assert.deepEqual(await read(plain.id), plain);
  });

  test('returns the current record', async () => {
    const placed = await shop.placed(await shop.cardOrderBody({ capture: false }));
    assert.equal((await read(placed.id)).status, 'pending');
    await shop.capture(placed.payment.id);
    await shop.refund(placed.payment.id, 4_000);
    const now = await read(placed.code);
    assert.deepEqual([now.status, now.payment.status], ['paid', 'partially_refunded']);
    assert.deepEqual(now.payment, await shop.payment(placed.payment.id));
    assert.equal(now.updated_at, now.payment.updated_at);
    await shop.refund(placed.payment.id);
    assert.equal((await read(placed.id)).status, 'refunded');
  });

  test('finds an order by its id, even if another order has this id as its code', async () => {
    const other = await shop.placed({ ...shop.pixOrderBody(), code: order.id });
    assert.equal((await read(order.id)).id, order.id);
    assert.equal((await read(other.id)).code, order.id);
  });
});

describe('404', () => {
  test('an unknown or malformed identifier', async () => {
    const names = [UNKNOWN_ID, 'none', order.payment.id, order.payment.hash, 'a\u0000b', `{${order.id}}`];
    for (const raw of [...names.map(encodeURIComponent), '%zz', '%00', 'x'.repeat(5_000)]) {
      const answer = await shop.call('GET', `/charges/orders/${raw}`);
      assert.deepEqual(
        [answer.status, answer.body],
        [404, { message: 'Order not found.' }],
        raw.slice(0, 50),
      );
    }
  });

  test('an order of another merchant, by id and by code', async () => {
    const other = await Shop.open(service);
    for (const name of [order.id, encodeURIComponent(order.code)])
      assert.equal((await other.call('GET', `/charges/orders/${name}`)).status, 404);
  });
});

describe('403', () => {
  test('a key without payments:read', async () => {
    const { apiKey } = await service.newKey(shop.onboarded, ['customers:write', 'events:write']);
    assert.equal((await shop.call('GET', `/charges/orders/${order.id}`, { key: apiKey })).status, 403);
  });

  test('but a suspended account can read', async () => {
    const closing = await Shop.open(service);
    const { id } = await closing.placed(closing.pixOrderBody());
    await closing.suspend();
    assert.equal((await closing.call('GET', `/charges/orders/${id}`)).status, 200);
  });
});
