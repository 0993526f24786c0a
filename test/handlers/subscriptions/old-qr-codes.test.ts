/** A payer uses the QR code of a request for a mandate that is no longer wanted, before the acquirer knows that. */
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { advanceBy, DAY_MS, MINUTE_MS } from '../../support/clock-calls.ts';
import { reconcile } from '../../support/payments/acquirer-calls.ts';
import { assertAcquirerAgrees } from '../../support/payments/acquirer-records.ts';
import { discrepanciesOf } from '../../support/payments/discrepancies.ts';
import { authorizeMandate } from '../../support/payments/mandates.ts';
import { cancelMandates } from '../../support/run-jobs.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { Shop } from '../../support/shop.ts';
import {
  changedToPix,
  mandateStates,
  putPixRecurring,
  requested,
} from '../../support/subscriptions/pix-recurring-calls.ts';
import { story, subscribed } from '../../support/subscriptions/subscription-calls.ts';

const service = await sharedService({ jobs: false });
let shop: Shop;
beforeEach(async () => {
  service.setAhead(0);
  shop = await Shop.open(service);
});

/** Runs `work` while no cancellation of a mandate reaches the acquirer. */
async function withLostCancellations<Result>(work: () => Promise<Result>): Promise<Result> {
  const lost = async () => ({ kind: 'unknown', cause: 'time_out' }) as const;
  const spy = service.intercept(() => ({ cancel_mandate: lost }));
  try {
    return await work();
  } finally {
    spy.undo();
  }
}

/** Runs the cancellations that are due at the acquirer, and compares its records with ours. */
async function settled(): Promise<void> {
  await reconcile(service, 3 * MINUTE_MS);
  service.setAhead(5 * MINUTE_MS);
  await cancelMandates(service.deps);
  service.setAhead(0);
  await advanceBy(shop, DAY_MS);
  await assertAcquirerAgrees(service, shop.account);
  assert.deepEqual(await discrepanciesOf(service, shop.account), []);
}

const paymentsOf = async (id: string) =>
  (await shop.get(`/payments?subscription_id=${id}`)).data.map(
    ({ payment_method, status, captured_amount }: Json) => `${payment_method} ${status} ${captured_amount}`,
  );

describe('an old QR code', () => {
  test('of a request that was replaced takes no money, and does not change the payment method', async () => {
    const { id } = await subscribed(shop);
    const { payment: old } = await changedToPix(shop, id);
    const { payment } = await withLostCancellations(() => changedToPix(shop, id, { min_amount: 1_000 }));
    await authorizeMandate(shop, old.id);
    const used = await shop.payment(old.id);
    assert.deepEqual([used.status, used.amount, used.captured_amount], ['AUTHORIZED', 0, 0]);
    const subscription = await shop.get(`/subscriptions/${id}`);
    assert.deepEqual([subscription.payment_method, subscription.payment.id], ['credit_card', payment.id]);
    await settled();
    assert.deepEqual(await mandateStates(shop), ['canceled', 'expired']);
    assert.equal((await shop.get(`/subscriptions/${id}`)).payment_method, 'credit_card');
  });

  for (const [what, fields, state] of [
    ['with the first charge', {}, 'waits'],
    ['of a trial', { trial_days: 7 }, 'waits'],
    ['that was refused', {}, 'was refused'],
  ] as const) {
    test(`${what} is not replaced by another one while the payer has not authorized the first mandate`, async () => {
      const { id, payment } = await requested(shop, fields);
      if (state === 'was refused') await shop.simulate(payment.id, 'refused', 'AP13');
      await advanceBy(shop, 25 * MINUTE_MS);
      const { status, body } = await putPixRecurring(shop, id);
      const sentence =
        'The payer has not authorized the first mandate. When its QR code has expired, create another subscription.';
      assert.deepEqual([status, body.errors], [422, { status: [sentence] }]);
      await advanceBy(shop, 5 * MINUTE_MS);
      assert.equal((await shop.get(`/subscriptions/${id}`)).status, 'ended');
      assert.equal((await mandateStates(shop)).length, 1);
      await assertAcquirerAgrees(service, shop.account);
    });
  }

  test('with the first charge pays it, if the subscription has got a card since', async () => {
    const { id, payment, customer_id } = await requested(shop);
    const body = { payment_method: 'credit_card', credit_card: { id: await shop.card(customer_id) } };
    await withLostCancellations(() => shop.call('PUT', `/subscriptions/${id}/payment-method`, { body }));
    await authorizeMandate(shop, payment.id);
    await settled();
    assert.deepEqual(await paymentsOf(id), ['pix_recurring paid 4990']);
    assert.deepEqual(await mandateStates(shop), ['canceled']);
    const { status, payment_method, successful_charges } = await shop.get(`/subscriptions/${id}`);
    assert.deepEqual([status, payment_method, successful_charges], ['active', 'credit_card', 1]);
  });

  test('with the first charge of a canceled subscription pays it, with its events', async () => {
    const { id, payment } = await requested(shop);
    await withLostCancellations(() => shop.post('/subscriptions/cancel', { id }));
    await authorizeMandate(shop, payment.id);
    await settled();
    assert.deepEqual(await paymentsOf(id), ['pix_recurring paid 4990']);
    assert.deepEqual(await mandateStates(shop), ['canceled']);
    assert.deepEqual((await story(shop)).slice(-4), [
      'payment.authorized paid',
      'payment.updated paid',
      'subscription.charge_succeeded ended',
      'subscription.updated ended',
    ]);
  });
});
