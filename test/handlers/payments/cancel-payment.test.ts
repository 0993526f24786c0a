import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sharedShop } from '../../support/shared-service.ts';
import { assertRefused, statusesOf } from '../../support/shop.ts';

const { service, shop } = await sharedShop();

describe('200', () => {
  test('releases a card authorization', async () => {
    const { id } = await shop.authorized();
    const { status, body } = await shop.cancel(id);
    assert.deepEqual([status, body.status, body.captured_amount], [200, 'canceled', 0]);
    assert.deepEqual(statusesOf(body), ['processing', 'pre_authorized', 'canceled']);
    assert.deepEqual(await shop.payment(id), body);
    assert.deepEqual((await shop.eventNames(id)).slice(3), ['payment.canceled', 'payment.cancel_confirmed']);
  });

  test('cancels a Pix, which can no longer be paid', async () => {
    const { id } = await shop.pixPayment();
    assert.equal((await shop.cancel(id)).body.status, 'canceled');
    const reference = await shop.reference(id);
    assert.equal((await shop.trySimulate(reference, 'paid')).kind, 'not_allowed');
    await shop.acquirerWorks(86_400_000);
    assert.equal((await shop.payment(id)).status, 'canceled');
  });

  test('shows the payment as processing while the acquirer works on the cancellation', async () => {
    const { id } = await shop.authorized('4000000000001216');
    assert.equal((await shop.cancel(id)).body.status, 'processing');
    await shop.acquirerWorks(11_000);
    assert.deepEqual(statusesOf(await shop.payment(id)), [
      'processing',
      'pre_authorized',
      'processing',
      'canceled',
    ]);
    assert.equal((await shop.eventNames(id)).at(-1), 'payment.cancel_confirmed');
  });

  test('does not change the payment if the acquirer refuses later', async () => {
    const { id } = await shop.authorized('4000000000001224');
    assert.equal((await shop.cancel(id)).body.status, 'processing');
    await shop.acquirerWorks(11_000);
    assert.equal((await shop.payment(id)).status, 'pre_authorized');
    assert.equal((await shop.eventNames(id)).at(-1), 'payment.cancel_failed');
    assert.equal((await shop.capture(id)).body.status, 'paid');
  });

  test('shows in the order, too', async () => {
    const { id, order_code } = await shop.authorized();
    await shop.cancel(id);
    assert.equal((await shop.payment(order_code)).status, 'canceled');
  });
});

describe('422', () => {
  test('a payment that is captured, canceled, refused or expired', async () => {
    const twice = await shop.authorized();
    await shop.cancel(twice.id);
    const paid = await shop.pixPayment();
    await shop.simulate(paid.id, 'paid');
    const expired = await shop.pixPayment();
    await shop.simulate(expired.id, 'expired');
    const ids = [
      twice.id,
      paid.id,
      expired.id,
      (await shop.cardPayment()).id,
      (await shop.authorized('4000000000000002')).id,
    ];
    for (const id of ids) assertRefused(await shop.cancel(id), 'status');
  });

  test('a cancellation that the acquirer refuses changes nothing, and has an event', async () => {
    const card = await shop.authorized('4000000000001208');
    const pix = await shop.pixPayment(99_990_015);
    for (const [{ id }, before] of [
      [card, 'pre_authorized'],
      [pix, 'waiting_payment'],
    ] as const) {
      assertRefused(await shop.cancel(id), 'status');
      assert.equal((await shop.payment(id)).status, before);
      assert.equal((await shop.eventNames(id)).at(-1), 'payment.cancel_failed');
    }
    assert.equal((await shop.capture(card.id)).body.status, 'paid');
    await shop.simulate(pix.id, 'paid');
    assert.equal((await shop.payment(pix.id)).status, 'paid');
  });

  test('a cancellation that the acquirer refuses again, each time with an event', async () => {
    const { id } = await shop.pixPayment(99_990_015);
    for (const failures of [1, 2]) {
      assertRefused(await shop.cancel(id), 'status');
      const names = await shop.eventNames(id);
      assert.equal(names.filter((name) => name === 'payment.cancel_failed').length, failures);
    }
  });

  test('a Pix that was paid first: the payment is paid, and the cancellation fails', async () => {
    const { id } = await shop.pixPayment();
    const reference = await shop.reference(id);
    const spy = service.intercept((real) => ({
      cancel: async (asked) => {
        assert.equal((await shop.trySimulate(reference, 'paid')).kind, 'done');
        return real.perform(asked);
      },
    }));
    const answer = await shop.cancel(id);
    spy.undo();
    assertRefused(answer, 'status');
    assert.equal((await shop.payment(id)).status, 'paid');
    assert.deepEqual((await shop.eventNames(id)).slice(2), ['payment.updated', 'payment.cancel_failed']);
  });
});
