/** Notifications about the charges of a subscription that come twice, late, in another order or with another amount. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, test } from 'node:test';
import type { NotificationType } from '../../../gateway/acquirer.ts';
import { discrepanciesOf } from '../../support/payments/discrepancies.ts';
import { deliver, notification } from '../../support/payments/notifications.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { created, Shop } from '../../support/shop.ts';
import { issuedBody } from '../../support/subscriptions/issued-charges.ts';
import { invoices, story, subscribe } from '../../support/subscriptions/subscription-calls.ts';

const service = await sharedService({ jobs: false });
let shop: Shop;
beforeEach(async () => {
  shop = await Shop.open(service);
});

const read = (id: string): Promise<Json> => shop.get(`/subscriptions/${id}`);
const reasons = async () => (await discrepanciesOf(service, shop.account)).map(({ reason }) => reason);

for (const [payment_method, family] of [
  ['bank_slip', 'bank_slip'],
  ['pix', 'pix'],
] as const) {
  const begin = (): Promise<Json> => created(subscribe(shop, issuedBody({ payment_method })));
  /** A notification about a charge of R$ 49.90. */
  const reportOf = async (payment: Json, what: 'paid' | 'expired' | 'refused', fields: object = {}) =>
    notification(shop.account, await shop.reference(payment.id), `${family}.${what}` as NotificationType, {
      amount_centavos: 4_990,
      ...fields,
    });

  describe(`a notification about a charge by ${payment_method}`, () => {
    test('pays its cycle once, however often it comes at once', async () => {
      const { id, payment } = await begin();
      const one = await reportOf(payment, 'paid');
      const other = { ...one, id: randomUUID() };
      await Promise.all([one, one, one, other, other].map((report) => deliver(service, report)));
      for (const report of [one, other]) assert.equal(await deliver(service, report), 204);
      assert.deepEqual([(await read(id)).status, (await read(id)).successful_charges], ['active', 1]);
      const succeeded = (await story(shop)).filter((line) =>
        line.startsWith('subscription.charge_succeeded'),
      );
      assert.equal(succeeded.length, 1);
      assert.deepEqual(await reasons(), []);
    });

    test('with another amount is reported, and the cycle stays open', async () => {
      const { id, payment } = await begin();
      for (const amount_centavos of [1, 4_989, 4_991, 499_000]) {
        assert.equal(await deliver(service, await reportOf(payment, 'paid', { amount_centavos })), 204);
      }
      assert.deepEqual(await reasons(), Array(4).fill('amount_mismatch'));
      assert.deepEqual(
        [(await read(id)).status, (await read(id)).payment.status],
        ['payment_pending', 'waiting_payment'],
      );
    });

    test('that it has expired changes nothing after it was paid', async () => {
      const { id, payment } = await begin();
      assert.equal(await deliver(service, await reportOf(payment, 'paid')), 204);
      const before = await read(id);
      assert.equal(await deliver(service, await reportOf(payment, 'expired')), 204);
      assert.deepEqual(await read(id), before);
    });

    test('of a canceled subscription that it was paid counts, and nothing is charged after it', async () => {
      const { id, payment } = await begin();
      assert.equal((await shop.post('/subscriptions/cancel', { id })).status, 200);
      const status = await deliver(service, await reportOf(payment, 'paid'));
      assert.ok(status === 204 || status === 409, String(status));
      await shop.post('/sandbox/clock/advance', { days: 70 });
      const after = await read(id);
      assert.equal(after.status, 'ended');
      assert.equal((await invoices(shop, id)).length, 1);
      assert.equal((await shop.get('/payments')).data.length, 1);
    });
  });
}

test('a late boleto is a discrepancy if the card charge of its cycle has no outcome for an hour', async () => {
  const { id, customer_id, payment } = await created(
    subscribe(shop, issuedBody({ payment_method: 'bank_slip' })),
  );
  for (let days = 0; (await read(id)).status !== 'unpaid'; days += 1) {
    assert.ok(days < 30);
    await shop.post('/sandbox/clock/advance', { days: 1 });
  }
  const spy = service.intercept(() => ({
    authorize: async () => ({ kind: 'unknown', cause: 'time_out' }),
  }));
  const body = { payment_method: 'credit_card', credit_card: { id: await shop.card(customer_id) } };
  const changed = await shop.call('PUT', `/subscriptions/${id}/payment-method`, { body });
  spy.undo();
  assert.equal(changed.body.payment.status, 'processing', changed.text);
  const paid = notification(shop.account, await shop.reference(payment.id), 'bank_slip.paid', {
    amount_centavos: 4_990,
  });
  const minute_ms = 60_000;
  const deliverAfter = (ms: number) => {
    service.setAhead(ms);
    return deliver(service, paid, { age_ms: -ms });
  };
  try {
    assert.deepEqual([await deliverAfter(0), await deliverAfter(59 * minute_ms)], [409, 409]);
    assert.equal(await deliverAfter(61 * minute_ms), 204);
  } finally {
    service.setAhead(0);
  }
  const found = await discrepanciesOf(service, shop.account);
  assert.deepEqual(
    found.map(({ reason, payment_id, status }) => [reason, payment_id, status]),
    [['cycle_charged', payment.id, 'open']],
  );
});
