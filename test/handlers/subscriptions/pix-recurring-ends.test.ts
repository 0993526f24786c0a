/**
 * The ends of Pix recurring subscriptions: by the merchant, by the payer, by a refund, and by another payment method.
 */
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { addDays } from '../../../domain/business-days.ts';
import { merchantDay } from '../../../domain/local-time.ts';
import { billingDate } from '../../../domain/subscriptions/billing-dates.ts';
import { advance, advanceBy, MINUTE_MS } from '../../support/clock-calls.ts';
import { reconcile, withLostAnswers } from '../../support/payments/acquirer-calls.ts';
import { deliver, notification } from '../../support/payments/notifications.ts';
import { cancelMandates } from '../../support/run-jobs.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { assertRefused, created, Shop } from '../../support/shop.ts';
import {
  authorized,
  endMandate,
  mandateStates,
  requested,
  scriptCharges,
} from '../../support/subscriptions/pix-recurring-calls.ts';
import { invoices, newOffer, story } from '../../support/subscriptions/subscription-calls.ts';

const service = await sharedService({ jobs: false });
let shop: Shop;
beforeEach(async () => {
  shop = await Shop.open(service);
});

const advanceTo = (day: string, time = '06:00') => advance(shop, { to: `${day}T${time}:00-03:00` });
const read = (id: string): Promise<Json> => shop.get(`/subscriptions/${id}`);
const today = () => merchantDay(new Date());
const month = (start: string, count: number) => billingDate({ start, interval: 'monthly' }, count);
const storySince = async (after: number) => (await story(shop)).slice(after);
/** The events of the creation and the first payment. */
const FIRST_PAID = 9;

/** The events of a year after the first `after`. */
async function storyAfterAYear(after: number): Promise<string[]> {
  await advance(shop, { days: 365 });
  return storySince(after);
}

describe('a canceled Pix recurring subscription', () => {
  test('has its mandate ended and its scheduled charge canceled, and cannot be reactivated', async () => {
    const { id, payment } = await authorized(shop);
    const due = month(today(), 1);
    await advanceTo(addDays(due, -3));
    const { status, body } = await shop.post('/subscriptions/cancel', { id, reason: 'Mudou de ideia' });
    assert.deepEqual([status, body.status, body.payment.status], [200, 'canceled', 'canceled']);
    assert.deepEqual(await storySince(FIRST_PAID - 1), [
      'payment.canceled canceled',
      'subscription.canceled canceled',
      'subscription.inactivated canceled',
      'subscription.deleted canceled',
    ]);
    assertRefused(await shop.post(`/subscriptions/${id}/reactivate`), 'status');
    assertRefused(await shop.post('/subscriptions/cancel', { id }), 'status');
    assertRefused(await shop.post(`/sandbox/subscriptions/${id}/cancel-mandate`, {}), 'status');
    assert.equal((await shop.get(`/payments/${payment.id}`)).status, 'paid');
    assert.deepEqual(await storyAfterAYear(FIRST_PAID + 3), ['subscription.ended ended']);
  });

  test('withdraws a charge that was sent', async () => {
    const { id } = await authorized(shop);
    await advanceTo(addDays(month(today(), 1), -1));
    assert.equal((await read(id)).payment.status, 'waiting_payment');
    const { body } = await shop.post('/subscriptions/cancel', { id });
    assert.deepEqual([body.status, body.payment.status], ['canceled', 'canceled']);
    assert.deepEqual(
      (await invoices(shop, id)).map(({ status }) => status),
      ['paid', 'void'],
    );
    assert.deepEqual((await storyAfterAYear(FIRST_PAID + 2)).slice(2), ['subscription.ended ended']);
  });

  test('keeps a charge that can no longer be withdrawn, and is paid by it', async () => {
    const { id } = await authorized(shop);
    const due = month(today(), 1);
    await advanceTo(addDays(due, -1), '22:00');
    await shop.post('/subscriptions/cancel', { id });
    assert.equal((await read(id)).payment.status, 'waiting_payment');
    await advanceTo(due);
    const { status, payment, successful_charges } = await read(id);
    assert.deepEqual([status, payment.status, successful_charges], ['canceled', 'paid', 2]);
  });

  test('that waited for its payer ends at once, and its QR code cannot be used any more', async () => {
    for (const trial_days of [0, 7]) {
      const { id } = await requested(shop, { trial_days });
      const { body } = await shop.post('/subscriptions/cancel', { id });
      assert.deepEqual([body.status, body.payment.status], ['ended', 'canceled']);
      assertRefused(await shop.post(`/sandbox/subscriptions/${id}/authorize`), 'status');
    }
  });

  test('by the payer at the bank has the reason of the bank', async () => {
    const { id } = await authorized(shop);
    await advanceTo(addDays(month(today(), 1), -3));
    const canceled = await endMandate(shop, id, 'ACCL');
    assert.deepEqual(
      [canceled.status, canceled.cancellation_reason, canceled.payment.status],
      ['canceled', 'ACCL', 'canceled'],
    );
    assert.deepEqual(await storySince(FIRST_PAID - 1), [
      'payment.canceled canceled',
      'subscription.canceled canceled',
      'subscription.inactivated canceled',
      'subscription.deleted canceled',
    ]);
    assert.deepEqual(await storyAfterAYear(FIRST_PAID + 3), ['subscription.ended ended']);
  });
});

describe('a Pix recurring subscription whose latest cycle is refunded in full', () => {
  for (const [when, daysBefore] of [
    ['scheduled', -3],
    ['sent', -1],
  ] as const) {
    test(`ends, and its charge that is ${when} is not collected`, async () => {
      const { id, payment } = await authorized(shop);
      const due = month(today(), 1);
      await advanceTo(addDays(due, daysBefore));
      await created(shop.refund(payment.id));
      await advanceTo(addDays(due, 1));
      const { status, payment: latest, successful_charges } = await read(id);
      assert.deepEqual([status, latest.status, successful_charges], ['ended', 'canceled', 1]);
      assert.deepEqual(await mandateStates(shop), ['canceled']);
      assert.deepEqual(
        (await invoices(shop, id)).map((invoice) => invoice.status),
        ['paid', 'void'],
      );
    });
  }

  test('ends, and keeps a charge that can no longer be withdrawn', async () => {
    const { id, payment } = await authorized(shop);
    const due = month(today(), 1);
    await advanceTo(addDays(due, -1), '22:00');
    await created(shop.refund(payment.id));
    await advanceTo(addDays(due, 1));
    const { status, payment: latest } = await read(id);
    assert.deepEqual([status, latest.status], ['ended', 'paid']);
  });
});

describe('the mandate of a Pix recurring subscription is canceled at the acquirer', () => {
  test('after a lost chargeback has ended the subscription', async () => {
    const { id, payment } = await authorized(shop);
    await shop.simulate(payment.id, 'chargeback_requested');
    await shop.simulate(payment.id, 'chargeback_lost');
    assert.equal((await read(id)).status, 'ended');
    assert.deepEqual(await mandateStates(shop), ['authorized']);
    await cancelMandates(service.deps);
    assert.deepEqual(await mandateStates(shop), ['canceled']);
    assert.equal(await cancelMandates(service.deps), 0);
  });

  test('after its last cycle', async () => {
    const offer_id = await newOffer(shop, {
      interval: 'monthly',
      cycles: [{ start: 1, end: 1, amount: 4_990 }],
    });
    const { id } = await authorized(shop, { offer_id });
    const { steps } = await advance(shop, { days: 32 });
    assert.equal((await read(id)).status, 'completed');
    assert.deepEqual(await mandateStates(shop), ['canceled']);
    assert.deepEqual(
      steps.map(({ step }: Json) => step),
      ['complete_subscription', 'cancel_mandate'],
    );
  });

  test('by the reconciler, if the answer of the acquirer was lost', async () => {
    const { payment } = await authorized(shop);
    await created(shop.refund(payment.id));
    await withLostAnswers(service, () => cancelMandates(service.deps));
    assert.deepEqual(await mandateStates(shop), ['authorized, at the acquirer canceled']);
    assert.equal(await reconcile(service), 1);
    assert.deepEqual(await mandateStates(shop), ['canceled']);
  });

  test('if its payer authorized it and did not pay the first charge in time', async () => {
    const { id, payment } = await requested(shop);
    const mandate = { charge_code: `RR${payment.id.replaceAll('-', '').slice(0, 27)}` };
    const reference = await shop.reference(payment.id);
    const authorizes = notification(shop.account, reference, 'mandate.authorized', {
      method: 'pix_recurring',
      amount_centavos: payment.amount,
      mandate,
    });
    assert.equal(await deliver(service, authorizes), 204);
    assert.equal((await read(id)).status, 'payment_pending');
    await advanceBy(shop, 31 * MINUTE_MS);
    const { status, payment: expired } = await read(id);
    assert.deepEqual([status, expired.status], ['ended', 'expired']);
    assert.equal((await story(shop)).at(-1), 'subscription.ended ended');
    assert.ok((await mandateStates(shop))[0]!.startsWith('canceled'));
  });
});

describe('a Pix recurring subscription that gets a card', () => {
  /** Charges the subscription to a new card from now on. */
  async function toCard({ id, customer_id }: Json): Promise<Json> {
    const credit_card = { id: await shop.card(customer_id) };
    const body = { payment_method: 'credit_card', credit_card };
    return (await shop.call('PUT', `/subscriptions/${id}/payment-method`, { body })).body;
  }

  test('has its mandate ended and its scheduled charge canceled, and is charged by card', async () => {
    const subscription = await authorized(shop);
    const due = month(today(), 1);
    await advanceTo(addDays(due, -3));
    const changed = await toCard(subscription);
    assert.deepEqual(
      [changed.status, changed.payment_method, changed.payment.status],
      ['active', 'credit_card', 'canceled'],
    );
    assertRefused(await shop.post(`/sandbox/subscriptions/${subscription.id}/cancel-mandate`, {}), 'status');
    await advanceTo(due);
    const { status, successful_charges, payment } = await read(subscription.id);
    assert.deepEqual([status, successful_charges, payment.payment_method], ['active', 2, 'credit_card']);
  });

  test('is charged by it at once if a cycle is overdue', async () => {
    const subscription = await authorized(shop);
    await scriptCharges(shop, subscription.customer_id, 'AC05');
    await advanceTo(month(today(), 1));
    assert.equal((await read(subscription.id)).status, 'payment_refused');
    const { status, successful_charges } = await toCard(subscription);
    assert.deepEqual([status, successful_charges], ['active', 2]);
  });

  test('is refused if it is weekly', async () => {
    const { id, customer_id } = await authorized(shop, { interval: 'weekly' });
    const credit_card = { id: await shop.card(customer_id) };
    const body = { payment_method: 'credit_card', credit_card };
    assertRefused(await shop.call('PUT', `/subscriptions/${id}/payment-method`, { body }), 'payment_method');
  });
});
