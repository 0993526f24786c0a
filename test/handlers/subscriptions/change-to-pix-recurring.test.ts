/** The change of a subscription to Pix recurring, which the payer has to authorize. */
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { addDays } from '../../../domain/business-days.ts';
import { advance, advanceBy, MINUTE_MS } from '../../support/clock-calls.ts';
import { reconcile, withLostAnswers } from '../../support/payments/acquirer-calls.ts';
import { cancelMandates } from '../../support/run-jobs.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { assertRefused, created, Shop } from '../../support/shop.ts';
import { month } from '../../support/subscriptions/billing-days.ts';
import { issuedBody } from '../../support/subscriptions/issued-charges.ts';
import {
  authorize,
  authorized,
  changedToPix,
  mandateStates,
  putPixRecurring,
} from '../../support/subscriptions/pix-recurring-calls.ts';
import { changePlan, offerOf, previewPlan, script } from '../../support/subscriptions/plan-change-calls.ts';
import { invoices, story, subscribe, subscribed } from '../../support/subscriptions/subscription-calls.ts';

const service = await sharedService({ jobs: false });
let shop: Shop;
beforeEach(async () => {
  shop = await Shop.open(service);
});

const advanceTo = (day: string, time = '06:00') => advance(shop, { to: `${day}T${time}:00-03:00` });
const read = (id: string): Promise<Json> => shop.get(`/subscriptions/${id}`);

describe('a change to Pix recurring', () => {
  test('shows the QR code, and is made when the payer authorizes the mandate', async () => {
    const { id } = await subscribed(shop);
    const before = (await story(shop)).length;
    const waiting = await changedToPix(shop, id, { recurring_amount: 4_990, recurring_statement: 'CLUBE' });
    assert.deepEqual(
      [waiting.status, waiting.payment_method, waiting.payment.status, waiting.payment.amount],
      ['active', 'credit_card', 'scheduled', 0],
    );
    assert.match(waiting.payment.pix_recurring.qr_code, /^000201/);
    assert.deepEqual(await read(id), waiting);
    const changed = await authorize(shop, id);
    assert.deepEqual(
      [changed.status, changed.payment_method, changed.card_id, changed.payment.status],
      ['payment_approved', 'pix_recurring', null, 'AUTHORIZED'],
    );
    assert.match(changed.payment.pix_recurring.charge_code, /^RN/);
    assert.deepEqual((await story(shop)).slice(before), [
      'payment.created scheduled',
      'payment.updated scheduled',
      'payment.authorized AUTHORIZED',
      'subscription.updated payment_approved',
    ]);
    await advanceTo(month(1));
    const { status, successful_charges, payment } = await read(id);
    assert.deepEqual(
      [status, successful_charges, payment.payment_method, payment.status],
      ['payment_approved', 2, 'pix_recurring', 'paid'],
    );
  });

  test('leaves the card in use until then', async () => {
    const { id } = await subscribed(shop);
    await advanceTo(month(1), '05:50');
    const { payment: asking } = await changedToPix(shop, id);
    await advanceTo(month(1), '06:05');
    const charged = await read(id);
    assert.deepEqual([charged.payment_method, charged.successful_charges], ['credit_card', 2]);
    assert.equal(charged.payment.id, asking.id);
    assert.equal((await authorize(shop, id)).payment_method, 'pix_recurring');
    await advanceTo(month(2));
    assert.equal((await read(id)).successful_charges, 3);
    const paidBy = (await invoices(shop, id)).map(({ payments }) => payments[0].payment_method);
    assert.deepEqual(paidBy, ['credit_card', 'credit_card', 'pix_recurring']);
  });

  test('changes nothing if the QR code expires', async () => {
    const before = await subscribed(shop);
    await changedToPix(shop, before.id);
    await advanceBy(shop, 31 * MINUTE_MS);
    const { updated_at: _, ...after } = await read(before.id);
    const { updated_at: __, ...unchanged } = before;
    assert.deepEqual(after, unchanged);
    assert.deepEqual(await mandateStates(shop), ['expired']);
    assert.equal((await story(shop)).at(-1), 'payment.expired expired');
  });

  test('changes nothing if the payer refuses the mandate', async () => {
    const { id, customer_id, payment } = await subscribed(shop);
    const outcomes = [{ operation: 'mandate', outcome: 'AP13' }];
    await created(shop.post('/sandbox/scripts', { customer_id, outcomes }));
    await changedToPix(shop, id);
    await advanceBy(shop, MINUTE_MS);
    const after = await read(id);
    assert.deepEqual([after.payment_method, after.payment.id], ['credit_card', payment.id]);
    assert.deepEqual(await mandateStates(shop), ['rejected']);
  });

  test('charges an overdue cycle by the mandate, due in 3 days', async () => {
    const { id, card_id } = await subscribed(shop);
    await script(shop, card_id, 'insufficient_funds');
    await advanceTo(month(1), '09:00');
    assert.equal((await read(id)).status, 'past_due');
    const { payment: asking } = await changedToPix(shop, id);
    assert.equal(asking.retry_attempts, 0, 'it does not charge the cycle');
    const { status, payment_method } = await authorize(shop, id);
    assert.deepEqual([status, payment_method], ['past_due', 'pix_recurring']);
    await advanceTo(addDays(month(1), 2));
    assert.equal((await read(id)).payment.status, 'waiting_payment');
    await advanceTo(addDays(month(1), 3));
    const recovered = await read(id);
    assert.deepEqual([recovered.status, recovered.successful_charges], ['payment_approved', 2]);
    assert.equal(recovered.next_charge_at, month(2));
  });

  test('cancels a boleto that is not paid, and charges its cycle by the mandate', async () => {
    const { id, payment } = await created(subscribe(shop, issuedBody({ payment_method: 'bank_slip' })));
    await shop.simulate(payment.id, 'paid');
    await advanceTo(addDays(month(1), -5));
    const { payment: boleto } = await read(id);
    assert.equal(boleto.status, 'waiting_payment');
    await changedToPix(shop, id);
    assert.equal((await authorize(shop, id)).payment.id, boleto.id);
    await advanceTo(month(1));
    assert.equal((await shop.payment(boleto.id)).status, 'canceled');
    const { status, successful_charges, payment: charge } = await read(id);
    assert.deepEqual(
      [status, successful_charges, charge.payment_method],
      ['payment_approved', 2, 'pix_recurring'],
    );
  });

  test('is replaced by a second one', async () => {
    const { id } = await subscribed(shop);
    const first = await changedToPix(shop, id);
    const second = await changedToPix(shop, id, { min_amount: 1_000 });
    assert.notEqual(second.payment.id, first.payment.id);
    assert.equal((await shop.payment(first.payment.id)).status, 'canceled');
    assert.deepEqual(await mandateStates(shop), ['canceled', 'created']);
    assert.equal((await authorize(shop, id)).payment.id, second.payment.id);
    assert.deepEqual(await mandateStates(shop), ['canceled', 'authorized']);
  });

  test('is replaced by a change to a card', async () => {
    const subscription = await subscribed(shop);
    await changedToPix(shop, subscription.id);
    const body = { payment_method: 'credit_card', credit_card: { id: subscription.card_id } };
    const path = `/subscriptions/${subscription.id}/payment-method`;
    const { body: changed } = await shop.call('PUT', path, { body });
    assert.deepEqual([changed.payment_method, changed.payment.id], ['credit_card', subscription.payment.id]);
    assert.deepEqual(await mandateStates(shop), ['canceled']);
    assertRefused(await shop.post(`/sandbox/subscriptions/${subscription.id}/authorize`), 'status');
  });

  test('ends with the subscription', async () => {
    const canceled = await subscribed(shop);
    await changedToPix(shop, canceled.id);
    const { body } = await shop.post('/subscriptions/cancel', { id: canceled.id });
    assert.deepEqual([body.status, body.payment.id], ['canceled', canceled.payment.id]);
    const refunded = await subscribed(shop);
    await changedToPix(shop, refunded.id);
    await created(shop.refund(refunded.payment.id));
    assert.equal((await read(refunded.id)).status, 'ended');
    await cancelMandates(service.deps);
    assert.deepEqual(await mandateStates(shop), ['canceled', 'canceled']);
  });

  test('shows the QR code later if the answer of the acquirer was lost', async () => {
    const { id } = await subscribed(shop);
    const waiting = await withLostAnswers(service, () => changedToPix(shop, id));
    assert.equal(waiting.payment.pix_recurring.qr_code, null);
    assert.equal(await reconcile(service), 1);
    assert.match((await read(id)).payment.pix_recurring.qr_code, /^000201/);
    assert.equal((await authorize(shop, id)).payment_method, 'pix_recurring');
  });
});

describe('a new mandate for a Pix recurring subscription', () => {
  test('replaces the old one, which is canceled at the acquirer', async () => {
    const { id, payment: first } = await authorized(shop);
    const { payment: asking } = await changedToPix(shop, id);
    assert.deepEqual(await mandateStates(shop), ['authorized', 'created']);
    await authorize(shop, id);
    await cancelMandates(service.deps);
    assert.deepEqual(await mandateStates(shop), ['canceled', 'authorized']);
    const { charge_code } = (await shop.payment(asking.id)).pix_recurring;
    await advanceTo(month(1));
    const { status, successful_charges, payment } = await read(id);
    assert.deepEqual([status, successful_charges], ['payment_approved', 2]);
    assert.equal(payment.pix_recurring.charge_code, charge_code);
    assert.notEqual(charge_code, first.pix_recurring.charge_code);
  });

  for (const [when, daysBefore] of [
    ['scheduled', 3],
    ['sent', 1],
  ] as const) {
    test(`charges the cycle whose charge by the old one was ${when}`, async () => {
      const { id } = await authorized(shop);
      await advanceTo(addDays(month(1), -daysBefore));
      const { payment: old } = await read(id);
      await changedToPix(shop, id);
      await authorize(shop, id);
      await advanceTo(addDays(month(1), 3));
      const { status, successful_charges, payment } = await read(id);
      assert.deepEqual([status, successful_charges], ['payment_approved', 2]);
      assert.notEqual(payment.id, old.id);
      assert.equal((await shop.payment(old.id)).status, 'canceled');
      assert.deepEqual(await mandateStates(shop), ['canceled', 'authorized']);
    });
  }

  test('recovers a subscription without retries', async () => {
    const { id, customer_id } = await authorized(shop);
    const outcomes = [{ operation: 'authorize', outcome: 'AC05' }];
    await created(shop.post('/sandbox/scripts', { customer_id, outcomes }));
    await advanceTo(month(1));
    assert.equal((await read(id)).status, 'payment_refused');
    await changedToPix(shop, id);
    await authorize(shop, id);
    await advanceTo(addDays(month(1), 4));
    const { status, successful_charges } = await read(id);
    assert.deepEqual([status, successful_charges], ['payment_approved', 2]);
  });
});

describe('a change to Pix recurring is refused', () => {
  test('with amounts that the prices do not fit', async () => {
    const { id } = await subscribed(shop);
    const recurring = 'pix_recurring.recurring_amount';
    assertRefused(await putPixRecurring(shop, id, { recurring_amount: 5_000 }), recurring);
    const least = 'pix_recurring.min_amount';
    assertRefused(await putPixRecurring(shop, id, { min_amount: 5_000 }), least);
    assertRefused(await putPixRecurring(shop, id, { min_amount: 1, recurring_amount: 4_990 }), least);
    assert.deepEqual(await mandateStates(shop), []);
  });

  test('with the terms of a mandate for another payment method', async () => {
    const { id } = await subscribed(shop);
    const body = { payment_method: 'bank_slip', pix_recurring: {} };
    assertRefused(await shop.call('PUT', `/subscriptions/${id}/payment-method`, { body }), 'pix_recurring');
  });

  test('for a subscription that is canceled', async () => {
    const { id } = await subscribed(shop);
    await shop.post('/subscriptions/cancel', { id });
    assertRefused(await putPixRecurring(shop, id), 'status');
  });
});

describe('a plan that the mandate does not allow is refused', () => {
  const plans = async () => [await offerOf(shop, 9_990), await offerOf(shop, 4_990, { interval: 'yearly' })];

  async function assertPlansRefused(id: string): Promise<void> {
    for (const offer_id of await plans()) {
      for (const change of [changePlan, previewPlan]) {
        assertRefused(await change(shop, id, { offer_id, effective: 'next_cycle' }), 'offer_id');
      }
    }
  }

  test('while the subscription is charged by it', async () => {
    const { id } = await authorized(shop, {}, { terms: { recurring_amount: 4_990 } });
    await assertPlansRefused(id);
  });

  test('while it waits for the payer', async () => {
    const { id } = await subscribed(shop);
    await changedToPix(shop, id, { recurring_amount: 4_990 });
    await assertPlansRefused(id);
    const allowed = { offer_id: await offerOf(shop, 4_990), effective: 'next_cycle' };
    assert.equal((await changePlan(shop, id, allowed)).status, 200);
  });

  test('until there is a new one', async () => {
    const { id } = await authorized(shop, {}, { terms: { recurring_amount: 4_990 } });
    await changedToPix(shop, id, { min_amount: 1_000 });
    await authorize(shop, id);
    const change = { offer_id: await offerOf(shop, 9_990), effective: 'next_cycle' };
    assert.equal((await changePlan(shop, id, change)).status, 200);
  });
});
