import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sharedShop } from '../../support/shared-service.ts';
import { Shop, UNKNOWN_ID } from '../../support/shop.ts';

const { service, shop } = await sharedShop();
const payment = await shop.cardPayment();
const { body: refund } = await shop.post(`/payments/${payment.id}/refunds`, {
  amount: 4_000,
  reason: 'One of two items came back.',
});

describe('200', () => {
  test('returns the created refund, by any identifier of its payment', async () => {
    for (const name of [payment.id, payment.hash, payment.order_code]) {
      assert.deepEqual(await shop.get(`/payments/${name}/refunds/${refund.id}`), refund);
      assert.deepEqual(await shop.get(`/payments/${name}/refunds/${refund.id.toUpperCase()}`), refund);
    }
  });

  test('returns a refund that is decided a day later, before and after', async () => {
    const { id } = await shop.cardPayment({ number: '4000000000005126' });
    const { body } = await shop.refund(id, 100);
    const path = `/payments/${id}/refunds/${body.id}`;
    assert.deepEqual(await shop.get(path), body);
    assert.deepEqual([body.status, body.denial], ['in_progress', null]);
    await shop.acquirerWorks(86_401_000);
    const denied = await shop.get(path);
    assert.equal(denied.status, 'denied');
    assert.deepEqual(denied.denial, {
      code: 'processing_error',
      message: 'The refund could not be processed. Try again.',
    });
  });
});

describe('404', () => {
  test('an unknown or malformed refund', async () => {
    for (const id of [UNKNOWN_ID, 'none', '%00', `{${refund.id}}`, refund.id.replaceAll('-', '')]) {
      const answer = await shop.call('GET', `/payments/${payment.id}/refunds/${id}`);
      assert.deepEqual([answer.status, answer.body], [404, { message: 'Refund not found.' }], id);
    }
  });

  test('a refund of another payment', async () => {
    const other = await shop.cardPayment();
    const answer = await shop.call('GET', `/payments/${other.id}/refunds/${refund.id}`);
    assert.deepEqual([answer.status, answer.body], [404, { message: 'Refund not found.' }]);
  });

  test('a refund of another merchant, with its payment and with one of the caller', async () => {
    const stranger = await Shop.open(service);
    const own = await stranger.cardPayment();
    const names = [payment.id, payment.hash, payment.order_code, own.id];
    for (const name of names)
      assert.equal((await stranger.call('GET', `/payments/${name}/refunds/${refund.id}`)).status, 404);
  });
});
