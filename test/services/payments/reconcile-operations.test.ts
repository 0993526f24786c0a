import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { reconcile, withLostAnswers } from '../../support/payments/acquirer-calls.ts';
import { assertAcquirerAgrees } from '../../support/payments/acquirer-records.ts';
import { deliver, notification } from '../../support/payments/notifications.ts';
import { reconcileOperations } from '../../support/run-jobs.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { Shop, statusesOf } from '../../support/shop.ts';

const service = await sharedService({ jobs: false });
let shop: Shop;

beforeEach(async () => {
  service.setAhead(0);
  shop = await Shop.open(service);
});
afterEach(() => assertAcquirerAgrees(service, shop.account));

/** Payments and operations in the acquirer's books. */
async function booked(): Promise<[payments: number, operations: number]> {
  const [row] = await service.rows<{ payments: number; operations: number }>(
    `select (select count(*)::int from simulator.payments where account = :account) as payments,
            (select count(*)::int from simulator.operations where account = :account) as operations`,
    { account: shop.account },
  );
  return [row!.payments, row!.operations];
}

describe('an order whose answer is lost', () => {
  test('by card is processing, then paid, with one authorization', async () => {
    const body = await shop.cardOrderBody({ number: '4000000000001117' });
    const order = await withLostAnswers(service, () => shop.placed(body, 'lost-1'));
    const { payment } = order;
    assert.deepEqual([order.status, payment.status, payment.refusal], ['pending', 'processing', null]);
    assert.deepEqual(await shop.eventNames(payment.id), ['payment.created']);

    assert.equal(await reconcile(service), 1);
    const paid = await shop.payment(payment.id);
    assert.deepEqual([paid.status, paid.captured_amount], ['paid', 10_000]);
    assert.match(paid.credit_card.authorization_code, /^\d{6}$/);
    assert.deepEqual(statusesOf(paid), ['processing', 'AUTHORIZED', 'paid']);
    assert.deepEqual(await shop.eventNames(payment.id), [
      'payment.created',
      'payment.authorized',
      'payment.updated',
    ]);
    assert.deepEqual(await booked(), [1, 1]);

    const replay = await shop.order(body, 'lost-1');
    assert.deepEqual(replay.body, order, 'the first answer again, whatever became of it');
    assert.equal(await reconcile(service, 3_600_000), 0, 'what is settled is not looked at again');
  });

  test('by card that never arrived is refused, also if it arrives later', async () => {
    let late: (() => Promise<Json>) | undefined;
    const spy = service.intercept((real) => ({
      authorize: async (asked) => {
        late = () => real.perform(asked);
        return { kind: 'unknown', cause: 'time_out' };
      },
    }));
    const payment = await shop.cardPayment();
    spy.undo();
    await reconcile(service);
    const refused = await shop.payment(payment.id);
    assert.deepEqual(
      [refused.status, refused.refusal.code, refused.refusal.retryable],
      ['refused', 'processing_error', true],
    );
    assert.equal((await late!()).kind, 'refused');
    assert.deepEqual(await booked(), [0, 1]);
  });

  for (const [what, place, status] of [
    ['a reservation', () => shop.authorized('4000000000001117'), 'pre_authorized'],
    ['a card whose request is lost', () => shop.cardPayment({ number: '4000000000001125' }), 'refused'],
    ['a refused card', () => shop.cardPayment({ number: '4000000000009995' }), 'refused'],
    ['fraud', () => shop.cardPayment({ number: '4100000000000019' }), 'refused'],
    ['a Pix', () => shop.pixPayment(99_990_005), 'waiting_payment'],
    ['a Pix whose request is lost', () => shop.pixPayment(99_990_006), 'refused'],
  ] as const) {
    test(`${what}: ${status}`, async () => {
      const { id, status: first } = await withLostAnswers(service, place);
      assert.equal(first, 'processing');
      await reconcile(service);
      const payment = await shop.payment(id);
      assert.equal(payment.status, status);
      if (status === 'waiting_payment') assert.ok(payment.pix.qr_code && payment.pix.qr_code_image);
      assert.equal(await reconcile(service, 3_600_000), 0);
    });
  }

  test('by Pix is found although it was paid before', async () => {
    const { id } = await withLostAnswers(service, () => shop.pixPayment());
    await shop.simulate(id, 'paid');
    assert.deepEqual([(await shop.payment(id)).status, (await shop.payment(id)).pix.qr_code], ['paid', null]);
    await reconcile(service);
    const payment = await shop.payment(id);
    assert.deepEqual([payment.status, payment.captured_amount], ['paid', 5_000]);
    assert.ok(payment.pix.qr_code);
  });

  for (const [number, status] of [
    ['4000000000001133', 'paid'],
    ['4000000000001141', 'refused'],
  ] as const) {
    test(`card …${number.slice(-4)}, on which the acquirer works: ${status} once its result is known`, async () => {
      const { id, status: first } = await shop.cardPayment({ number });
      assert.equal(first, 'processing');
      assert.equal(await reconcile(service, 15_000), 0, 'the acquirer sends a notification');
      assert.equal(await reconcile(service, 45_000), 1);
      assert.equal((await shop.payment(id)).status, 'processing');
      service.setAhead(0);
      await shop.acquirerWorks(11_000);
      const payment = await shop.payment(id);
      assert.equal(payment.status, status);
      const { authorization_code } = payment.credit_card;
      if (status === 'paid') assert.match(authorization_code, /^\d{6}$/);
      else assert.equal(authorization_code, null);
    });
  }
});

describe('the reconciler', () => {
  test('skips operations that a request may still be working on', async () => {
    const spy = service.intercept((real) => ({
      authorize: async (asked) => {
        assert.equal(await reconcile(service, 10_000), 0);
        service.setAhead(0);
        return real.perform(asked);
      },
    }));
    assert.equal((await shop.cardPayment()).status, 'paid');
    spy.undo();
  });

  test('retries with growing pauses until the acquirer answers', async () => {
    const { id } = await withLostAnswers(service, () => shop.cardPayment());
    let asked = 0;
    const spy = service.intercept(() => ({
      inquire: async () => {
        asked += 1;
        return { kind: 'unknown', cause: 'ECONNREFUSED' };
      },
    }));
    for (let s = 2; s <= 60; s += 1) await reconcile(service, s * 1_000);
    spy.undo();
    assert.ok(asked >= 4 && asked <= 8, `${asked} times in a minute`);
    assert.equal((await shop.payment(id)).status, 'processing');
    await reconcile(service, 120_000);
    assert.equal((await shop.payment(id)).status, 'paid');
  });

  test('completes the others if one fails', async () => {
    const first = await withLostAnswers(service, () => shop.cardPayment());
    const second = await withLostAnswers(service, () => shop.cardPayment());
    const reference = await shop.reference(first.id);
    const spy = service.intercept((real) => ({
      inquire: async (asked) => {
        if (asked.reference === reference) throw new Error('A fault of ours.');
        return real.inquire(asked);
      },
    }));
    await reconcile(service);
    spy.undo();
    assert.equal((await shop.payment(first.id)).status, 'processing');
    assert.equal((await shop.payment(second.id)).status, 'paid');
    await reconcile(service, 60_000);
    assert.equal((await shop.payment(first.id)).status, 'paid');
  });

  test('completes an operation once, also at the same time as notifications and the request', async () => {
    const { id } = await withLostAnswers(service, () => shop.authorized());
    const reference = await shop.reference(id);
    const amount_centavos = 10_000;
    const report = notification(shop.account, reference, 'authorization.approved', { amount_centavos });
    service.setAhead(2_000);
    await Promise.all([
      ...Array.from({ length: 5 }, () => reconcileOperations(service.deps)),
      ...Array.from({ length: 3 }, () => deliver(service, report)),
    ]);
    assert.equal((await shop.payment(id)).status, 'pre_authorized');
    assert.deepEqual(await shop.eventNames(id), [
      'payment.created',
      'payment.pre_authorized',
      'payment.authorized',
    ]);
  });
});
