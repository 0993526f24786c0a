/** The merchant cancels the charge of a cycle by `POST /payments/{identifier}/cancel`, and not its subscription. */
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { addDays } from '../../../domain/business-days.ts';
import { merchantDay } from '../../../domain/local-time.ts';
import { billingDate } from '../../../domain/subscriptions/billing-dates.ts';
import { advance, advanceBy, HOUR_MS, MINUTE_MS } from '../../support/clock-calls.ts';
import { assertAcquirerAgrees } from '../../support/payments/acquirer-records.ts';
import { discrepanciesOf } from '../../support/payments/discrepancies.ts';
import { runBillingSteps } from '../../support/run-jobs.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { assertRefused, created, Shop } from '../../support/shop.ts';
import { issuedBody, PAYER } from '../../support/subscriptions/issued-charges.ts';
import {
  authorize,
  authorized,
  mandateStates,
  requested,
} from '../../support/subscriptions/pix-recurring-calls.ts';
import { paidUpBy } from '../../support/subscriptions/renewals-by-method.ts';
import { invoices, story, subscribe } from '../../support/subscriptions/subscription-calls.ts';

const service = await sharedService({ jobs: false });
let shop: Shop;
beforeEach(async () => {
  shop = await Shop.open(service);
});

const advanceTo = (day: string, time = '06:00') => advance(shop, { to: `${day}T${time}:00-03:00` });
const read = (id: string): Promise<Json> => shop.get(`/subscriptions/${id}`);
const today = () => merchantDay(new Date());
const renewal = () => billingDate({ start: today(), interval: 'monthly' }, 1);
const cancel = (paymentId: string) => shop.post(`/payments/${paymentId}/cancel`);

/** Cancels the open charge of a subscription, and runs what follows. Returns the events. */
async function cancelOpenCharge(id: string): Promise<string[]> {
  const before = (await story(shop)).length;
  const { payment } = await read(id);
  const { status, body, text } = await cancel(payment.id);
  assert.deepEqual([status, body.status], [200, 'canceled'], text);
  const events = (await story(shop)).slice(before);
  await runBillingSteps(service.deps);
  return events;
}

async function assertNothingIsOdd(): Promise<void> {
  assert.deepEqual(await discrepanciesOf(service, shop.account), []);
  await assertAcquirerAgrees(service, shop.account);
}

for (const method of ['bank_slip', 'pix'] as const) {
  describe(`the charge of a subscription by ${method}`, () => {
    test('is issued again if it is canceled before its billing date, and nothing is overdue', async () => {
      const customerId = (await created(shop.post('/customers', PAYER))).id;
      const { id } = await paidUpBy(shop, customerId, method);
      await advanceTo(addDays(renewal(), -5));
      assert.deepEqual(await cancelOpenCharge(id), [
        'payment.canceled canceled',
        'payment.cancel_confirmed canceled',
        'subscription.charge_failed active',
      ]);
      const { status, payment, next_charge_at } = await read(id);
      assert.deepEqual(
        [status, payment.status, payment.billing_date, next_charge_at],
        ['active', 'waiting_payment', renewal(), renewal()],
      );
      const [, second] = await invoices(shop, id);
      assert.deepEqual(
        [second!.status, second!.payments.map((one: Json) => one.status)],
        ['open', ['canceled', 'waiting_payment']],
      );
      await cancelOpenCharge(id);
      const waiting = await read(id);
      assert.deepEqual([waiting.status, waiting.next_charge_at], ['active', addDays(renewal(), 3)]);
      await advanceTo(renewal());
      const third = await read(id);
      assert.deepEqual(
        [third.status, third.payment.status, third.payment.billing_date],
        ['active', 'waiting_payment', addDays(renewal(), 3)],
      );
      await shop.simulate(third.payment.id, 'paid');
      assert.deepEqual([(await read(id)).status, (await read(id)).successful_charges], ['active', 2]);
      await assertNothingIsOdd();
    });

    test('is issued again if the first one is canceled, and the subscription is payment_refused', async () => {
      const { id } = await created(subscribe(shop, issuedBody({ payment_method: method })));
      assert.deepEqual((await cancelOpenCharge(id)).slice(2), [
        'subscription.charge_failed payment_refused',
        'subscription.past_due payment_refused',
      ]);
      // The steps of a day run from 06:00. Before that, the next charge is not issued yet.
      await advanceBy(shop, 6 * HOUR_MS);
      const { payment } = await read(id);
      assert.deepEqual([payment.status, payment.billing_date], ['waiting_payment', addDays(today(), 3)]);
      await shop.simulate(payment.id, 'paid');
      assert.equal((await read(id)).status, 'active');
      await assertNothingIsOdd();
    });
  });
}

describe('the charge of a subscription by Pix recurring', () => {
  test('ends the subscription, with its mandate, if it is the first one, by which the payer authorizes both', async () => {
    const { id } = await requested(shop);
    assert.deepEqual(await cancelOpenCharge(id), [
      'payment.canceled canceled',
      'payment.cancel_confirmed canceled',
      'subscription.canceled ended',
      'subscription.inactivated ended',
      'subscription.deleted ended',
      'subscription.ended ended',
    ]);
    assertRefused(await shop.post(`/sandbox/subscriptions/${id}/authorize`), 'status');
    await advanceBy(shop, 31 * MINUTE_MS);
    const { status, successful_charges } = await read(id);
    assert.deepEqual([status, successful_charges], ['ended', 0]);
    const [first] = await invoices(shop, id);
    assert.equal(first!.status, 'void');
    assert.deepEqual(await mandateStates(shop), ['canceled']);
    await assertNothingIsOdd();
  });

  test('is tried again on the next day of its retries if it is canceled after it was sent', async () => {
    const { id } = await authorized(shop, {}, { terms: { retry_policy: true } });
    await advanceTo(addDays(renewal(), -2));
    assert.deepEqual((await cancelOpenCharge(id)).slice(2), [
      'subscription.charge_failed payment_refused',
      'subscription.past_due payment_refused',
    ]);
    assert.equal((await read(id)).next_charge_at, addDays(renewal(), 1));
    await advanceTo(addDays(renewal(), 1));
    const { status, successful_charges } = await read(id);
    assert.deepEqual([status, successful_charges], ['payment_approved', 2]);
    await assertNothingIsOdd();
  });

  test('is given up without a retry policy if it is canceled after it was sent', async () => {
    const { id } = await authorized(shop);
    await advanceTo(addDays(renewal(), -2));
    assert.deepEqual((await cancelOpenCharge(id)).slice(2), [
      'subscription.charge_failed payment_refused',
      'subscription.unpaid payment_refused',
    ]);
    const [, second] = await invoices(shop, id);
    assert.equal(second!.status, 'uncollectible');
    await advanceTo(addDays(renewal(), 20));
    assert.equal((await read(id)).successful_charges, 1);
    await assertNothingIsOdd();
  });

  test('cannot be canceled before it is sent, and the refusal says what to do', async () => {
    const { id } = await authorized(shop);
    await advanceTo(addDays(renewal(), -3));
    const { payment } = await read(id);
    assert.equal(payment.status, 'scheduled');
    const refused = await cancel(payment.id);
    assertRefused(refused, 'status');
    assert.match(refused.text, /scheduled payment cannot be canceled.*cancel its subscription/);
    await advanceTo(renewal());
    assert.equal((await read(id)).successful_charges, 2);
  });

  test('that is a request for a mandate alone cannot be canceled, and can still be authorized', async () => {
    const { id, payment } = await requested(shop, { trial_days: 7 });
    assertRefused(await cancel(payment.id), 'status');
    assert.equal((await authorize(shop, id)).status, 'trial_started');
  });
});
