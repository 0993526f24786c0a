import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sharedShop } from '../../support/shared-service.ts';
import { assertRefused, Shop, statusesOf } from '../../support/shop.ts';

const { service, shop } = await sharedShop();

describe('200', () => {
  test('captures the whole amount', async () => {
    const { id } = await shop.authorized();
    const { status, body } = await shop.capture(id);
    assert.deepEqual([status, body.status, body.captured_amount], [200, 'paid', 10_000]);
    assert.deepEqual(statusesOf(body), ['processing', 'pre_authorized', 'paid']);
    assert.deepEqual(await shop.payment(id), body);
    const events = await shop.events(id);
    assert.deepEqual(
      events.map(({ event }) => event),
      ['payment.created', 'payment.pre_authorized', 'payment.authorized', 'payment.capture_confirmed'],
    );
    assert.deepEqual(events[3].data, body);
  });

  test('captures a part, and keeps the amount of the payment', async () => {
    const { id } = await shop.authorized();
    const { body } = await shop.capture(id, 1);
    assert.deepEqual([body.status, body.amount, body.captured_amount], ['paid', 10_000, 1]);
  });

  test('treats an empty object like no body', async () => {
    const { id } = await shop.authorized();
    const { status, body } = await shop.post(`/payments/${id}/capture`, {});
    assert.deepEqual([status, body.captured_amount], [200, 10_000]);
  });

  test('finds the payment by its id in upper case', async () => {
    const { id } = await shop.authorized();
    assert.equal((await shop.capture(id.toUpperCase())).status, 200);
  });

  test('shows the payment as processing while the acquirer works on the capture', async () => {
    const { id } = await shop.authorized('4000000000001182');
    const { status, body } = await shop.capture(id, 4_000);
    assert.deepEqual([status, body.status, body.captured_amount], [200, 'processing', 0]);
    assertRefused(await shop.capture(id), 'status');
    assertRefused(await shop.cancel(id), 'status');

    await shop.acquirerWorks(11_000);
    const paid = await shop.payment(id);
    assert.deepEqual([paid.status, paid.captured_amount], ['paid', 4_000]);
    assert.deepEqual(statusesOf(paid), ['processing', 'pre_authorized', 'processing', 'paid']);
    assert.equal((await shop.eventNames(id)).at(-1), 'payment.capture_confirmed');
  });
});

describe('422', () => {
  test('more than the authorized amount', async () => {
    const { id } = await shop.authorized();
    assertRefused(await shop.capture(id, 10_001), 'amount');
    assert.equal((await shop.capture(id, 10_000)).status, 200);
  });

  test('a malformed amount, an unknown field, another body', async () => {
    const { id } = await shop.authorized();
    const path = `/payments/${id}/capture`;
    for (const amount of [0, -1, 1.5, '100', null, 1e300, 10_000_000_000]) {
      assertRefused(await shop.post(path, { amount }), 'amount');
    }
    assertRefused(await shop.post(path, { amount: 1, reason: 'x' }), 'reason');
    assertRefused(await shop.post(path, []), 'body');
    assert.equal((await shop.payment(id)).status, 'pre_authorized');
  });

  test('a second capture', async () => {
    const { id } = await shop.authorized();
    await shop.capture(id, 4_000);
    assertRefused(await shop.capture(id, 4_000), 'status');
    assert.equal((await shop.payment(id)).captured_amount, 4_000);
  });

  test('a payment that is paid, refused, canceled, or by Pix', async () => {
    const canceled = await shop.authorized();
    await shop.cancel(canceled.id);
    const ids = [
      (await shop.cardPayment()).id,
      (await shop.authorized('4000000000000002')).id,
      canceled.id,
      (await shop.pixPayment()).id,
    ];
    for (const id of ids) assertRefused(await shop.capture(id), 'status');
  });

  test('a capture that the acquirer refuses keeps the authorization, which can be canceled', async () => {
    const { id } = await shop.authorized('4000000000001174');
    assertRefused(await shop.capture(id), 'status');
    const payment = await shop.payment(id);
    assert.deepEqual([payment.status, payment.captured_amount], ['pre_authorized', 0]);
    assert.deepEqual(statusesOf(payment), ['processing', 'pre_authorized']);
    assert.equal((await shop.eventNames(id)).at(-1), 'payment.capture_failed');
    assert.equal((await shop.cancel(id)).body.status, 'canceled');
  });

  test('is 403 for an account that has been suspended', async () => {
    const closing = await Shop.open(service);
    const { id } = await closing.authorized();
    await closing.suspend();
    assert.equal((await closing.capture(id)).status, 403);
    assert.equal((await closing.cancel(id)).status, 200, 'to give up a payment moves no money');
  });
});

describe('at once', () => {
  test('one of 20 captures and 20 cancellations succeeds, here and at the acquirer', async () => {
    const { id } = await shop.authorized();
    const asked = Array.from({ length: 40 }, (_, i) => (i % 2 === 0 ? shop.capture(id) : shop.cancel(id)));
    const answers = await Promise.all(asked);
    const done = answers.filter(({ status }) => status === 200);
    assert.equal(done.length, 1);
    for (const answer of answers) if (answer !== done[0]) assertRefused(answer, 'status');
    assert.equal((await shop.payment(id)).status, done[0]!.body.status);
    const calls = await service.rows(
      "select 1 from simulator.operations where payment_reference = :reference and kind in ('capture', 'cancel')",
      { reference: await shop.reference(id) },
    );
    assert.equal(calls.length, 1, 'the acquirer was asked once');
  });

  test('one of 10 partial captures succeeds', async () => {
    const { id } = await shop.authorized();
    const answers = await Promise.all(Array.from({ length: 10 }, (_, i) => shop.capture(id, 1_000 + i)));
    const done = answers.filter(({ status }) => status === 200);
    assert.equal(done.length, 1);
    assert.equal((await shop.payment(id)).captured_amount, done[0]!.body.captured_amount);
  });
});
