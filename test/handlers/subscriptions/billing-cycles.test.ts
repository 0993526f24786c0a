import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { addDays } from '../../../domain/business-days.ts';
import { merchantDay } from '../../../domain/local-time.ts';
import { billingDate } from '../../../domain/subscriptions/billing-dates.ts';
import { changeMerchant } from '../../../services/merchants/change-merchant.ts';
import { advance, stepNames } from '../../support/clock-calls.ts';
import { individualBody } from '../../support/orders/parties.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { created, Shop } from '../../support/shop.ts';
import {
  invoices,
  NO_FUNDS,
  newOffer,
  story,
  subscribe,
  subscribed,
  subscriptionBody,
} from '../../support/subscriptions/subscription-calls.ts';

const service = await sharedService({ jobs: false });
let shop: Shop;
beforeEach(async () => {
  shop = await Shop.open(service);
});

/** Moves the shop's clock to a time of a day in São Paulo. */
const advanceTo = (day: string, time = '06:00') => advance(shop, { to: `${day}T${time}:00-03:00` });
const read = (id: string): Promise<Json> => shop.get(`/subscriptions/${id}`);
const month = (start: string, count: number) => billingDate({ start, interval: 'monthly' }, count);
const today = () => merchantDay(new Date());

/** The outcomes of the next charges of a card. */
async function script(cardId: string, ...outcomes: string[]): Promise<void> {
  const all = outcomes.map((outcome) => ({ operation: 'authorize', outcome }));
  await created(shop.post('/sandbox/scripts', { card_id: cardId, outcomes: all }));
}

/** The names of the events since the first `after`. */
async function storySince(after: number): Promise<string[]> {
  return (await story(shop)).slice(after);
}

describe('a monthly subscription by card', () => {
  test('is charged each month at 06:00 of its day', async () => {
    const { id } = await subscribed(shop);
    const start = today();
    await advanceTo(month(start, 1), '05:59');
    assert.equal((await read(id)).successful_charges, 1);
    const advanced = await advanceTo(month(start, 1));
    assert.deepEqual(stepNames(advanced), ['bill_cycle']);
    const renewed = await read(id);
    assert.deepEqual(
      [renewed.status, renewed.successful_charges, renewed.next_charge_at],
      ['active', 2, month(start, 2)],
    );
    assert.deepEqual(await storySince(7), [
      'payment.created processing',
      'payment.authorized AUTHORIZED',
      'payment.capture_confirmed paid',
      'subscription.charge_succeeded active',
      'subscription.updated active',
    ]);
    assert.equal(
      renewed.payment.created_at,
      new Date(`${month(start, 1)}T06:00:00-03:00`).toISOString().replace('Z', '000Z'),
    );
  });

  test('is charged once for each cycle of a year', async () => {
    const { id } = await subscribed(shop);
    const start = today();
    await advanceTo(month(start, 12));
    const all = await invoices(shop, id);
    assert.deepEqual(
      all.map(({ cycle, status, period_start, payments }) => [cycle, status, period_start, payments.length]),
      Array.from({ length: 13 }, (_, i) => [i + 1, 'paid', month(start, i), 1]),
    );
    assert.deepEqual((await shop.get(`/payments?subscription_id=${id}&per_page=100`)).data.length, 13);
  });

  test('follows the price ladder of its offer', async () => {
    const offer_id = await newOffer(shop);
    const body = await subscriptionBody(shop, { offer_id });
    const { amount: _, ...payment } = body.payment;
    const { id } = await created(subscribe(shop, { ...body, payment }));
    await advanceTo(month(today(), 4));
    assert.deepEqual(
      (await invoices(shop, id)).map(({ amount }) => amount),
      [2_990, 2_990, 2_990, 4_990, 4_990],
    );
  });

  test('with a trial is charged first when the trial is over', async () => {
    const { id } = await subscribed(shop, { trial_days: 5 });
    const first = addDays(today(), 5);
    await advanceTo(first);
    const subscription = await read(id);
    assert.deepEqual([subscription.status, subscription.successful_charges], ['active', 1]);
    assert.equal(subscription.next_charge_at, month(first, 1));
  });

  test('is completed when the last cycle of its ladder is over', async () => {
    const offer_id = await newOffer(shop, { cycles: [{ start: 1, end: 2, amount: 2_990 }] });
    const body = await subscriptionBody(shop, { offer_id });
    const { amount: _, ...payment } = body.payment;
    const { id } = await created(subscribe(shop, { ...body, payment }));
    await advanceTo(month(today(), 1));
    assert.deepEqual([(await read(id)).status, (await read(id)).next_charge_at], ['active', null]);
    await advanceTo(month(today(), 2));
    const completed = await read(id);
    assert.deepEqual([completed.status, completed.successful_charges], ['completed', 2]);
    assert.notEqual(completed.ended_at, null);
    assert.deepEqual((await story(shop)).at(-1), 'subscription.completed completed');
  });

  test('shares each charge with its recipients', async () => {
    const recipient = await created(shop.post('/recipients', individualBody()));
    const line = { recipient_id: recipient.id, type: 'percentage', amount: 10 };
    const body = await subscriptionBody(shop);
    const split = [line];
    const { id } = await created(subscribe(shop, { ...body, payment: { ...body.payment, split } }));
    await advanceTo(month(today(), 1));
    const { payment } = await read(id);
    assert.deepEqual([payment.split[0].share_amount, payment.merchant_amount], [499, 4_491]);
    const balance = await shop.get(`/recipients/${recipient.id}/balance`);
    assert.equal(balance.available + balance.pending, 998);
  });
});

describe('a charge that is refused', () => {
  test('is retried after 1, 3, 5 and 7 days, and then given up', async () => {
    const { id, card_id } = await subscribed(shop);
    const due = month(today(), 1);
    await script(card_id, ...Array(5).fill('insufficient_funds'));
    await advanceTo(due);
    const late = await read(id);
    assert.deepEqual([late.status, late.next_charge_at], ['past_due', addDays(due, 1)]);
    const before = (await story(shop)).length;
    await advanceTo(addDays(due, 7));
    const { status, next_charge_at, successful_charges } = await read(id);
    assert.deepEqual([status, next_charge_at, successful_charges], ['unpaid', due, 1]);
    const [, overdue] = await invoices(shop, id);
    assert.equal(overdue!.status, 'uncollectible');
    assert.deepEqual(
      overdue!.payments.map(({ billing_date, retry_attempts, status }: Json) => [
        billing_date,
        retry_attempts,
        status,
      ]),
      [0, 1, 3, 5, 7].map((days, retries) => [addDays(due, days), retries, 'refused']),
    );
    assert.deepEqual(
      (await storySince(before)).filter((name) => name.startsWith('subscription.')),
      [
        ...Array(3).fill('subscription.charge_failed past_due'),
        'subscription.charge_failed unpaid',
        'subscription.unpaid unpaid',
      ],
    );
  });

  test('is retried on the days that the merchant has set', async () => {
    await changeMerchant(service.deps, shop.account, { dunningDays: [2, 9] });
    const { id, card_id } = await subscribed(shop);
    const due = month(today(), 1);
    await script(card_id, ...Array(3).fill('insufficient_funds'));
    await advanceTo(addDays(due, 9));
    assert.equal((await read(id)).status, 'unpaid');
    const [, overdue] = await invoices(shop, id);
    assert.deepEqual(
      overdue!.payments.map(({ billing_date }: Json) => billing_date),
      [due, addDays(due, 2), addDays(due, 9)],
    );
  });

  test('is not retried if the merchant has set no days', async () => {
    await changeMerchant(service.deps, shop.account, { dunningDays: [] });
    const { id } = await subscribed(shop, {}, NO_FUNDS);
    assert.equal((await read(id)).status, 'unpaid');
  });

  test('is recovered by a retry, and the next cycle keeps its day', async () => {
    const { id, card_id } = await subscribed(shop);
    const due = month(today(), 1);
    await script(card_id, 'insufficient_funds', 'insufficient_funds');
    await advanceTo(addDays(due, 3));
    const { status, next_charge_at, successful_charges } = await read(id);
    assert.deepEqual([status, next_charge_at, successful_charges], ['active', month(today(), 2), 2]);
    assert.deepEqual((await story(shop)).slice(-3), [
      'subscription.charge_succeeded active',
      'subscription.activated active',
      'subscription.updated active',
    ]);
  });

  test('opens no further cycle while the overdue one is not paid', async () => {
    const { id } = await subscribed(shop, {}, NO_FUNDS);
    await advanceTo(month(today(), 3));
    assert.equal((await read(id)).status, 'unpaid');
    assert.equal((await invoices(shop, id)).length, 1);
  });
});

test('cycles that fell due while the merchant was not approved are charged later, one each day', async () => {
  const { id } = await subscribed(shop);
  const start = today();
  await shop.suspend();
  await advanceTo(month(start, 3));
  assert.equal((await read(id)).successful_charges, 1);
  await service.rows("update merchants set status = 'approved' where merchant_id = :account", {
    account: shop.account,
  });
  await advanceTo(addDays(month(start, 3), 1), '05:00');
  assert.equal((await read(id)).successful_charges, 2);
  await advanceTo(addDays(month(start, 3), 2));
  assert.equal((await read(id)).successful_charges, 4);
});

test('a full refund of the latest cycle ends the subscription', async () => {
  const { id, payment } = await subscribed(shop);
  await created(shop.refund(payment.id));
  const ended = await read(id);
  assert.deepEqual([ended.status, ended.next_charge_at], ['ended', null]);
  assert.deepEqual((await story(shop)).slice(-2), [
    'subscription.inactivated ended',
    'subscription.ended ended',
  ]);
});

test('a partial refund changes nothing in the subscription', async () => {
  const { id, payment } = await subscribed(shop);
  await created(shop.refund(payment.id, 100));
  assert.equal((await read(id)).status, 'active');
});
