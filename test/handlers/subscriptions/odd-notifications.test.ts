/** Notifications about the charges of a subscription that come twice, late, in another order or with another amount. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, test } from 'node:test';
import type { NotificationType } from '../../../gateway/acquirer.ts';
import { discrepanciesOf } from '../../support/discrepancies.ts';
import { issuedBody } from '../../support/issued-charges.ts';
import { deliver, notification } from '../../support/notifications.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { created, Shop } from '../../support/shop.ts';
import { invoices, story, subscribe } from '../../support/subscription-calls.ts';

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
