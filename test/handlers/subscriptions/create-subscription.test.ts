import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { addDays } from '../../../domain/business-days.ts';
import { merchantDay } from '../../../domain/local-time.ts';
import { sharedService } from '../../support/shared-service.ts';
import { assertRefused, created, Shop, statusesOf, UNKNOWN_ID } from '../../support/shop.ts';
import {
  GOOD,
  invoices,
  NO_FUNDS,
  newOffer,
  STOLEN,
  story,
  subscribe,
  subscribed,
  subscriptionBody,
} from '../../support/subscriptions/subscription-calls.ts';

const service = await sharedService();
let shop: Shop;
beforeEach(async () => {
  shop = await Shop.open(service);
});

const today = () => merchantDay(new Date());

describe('a subscription by card', () => {
  test('charges its first cycle at once', async () => {
    const subscription = await subscribed(shop);
    assert.equal(subscription.status, 'active');
    assert.deepEqual([subscription.current_cycle, subscription.successful_charges], [1, 1]);
    const { payment } = subscription;
    assert.deepEqual(statusesOf(payment), ['processing', 'AUTHORIZED', 'paid']);
    assert.deepEqual(
      [payment.amount, payment.subscription_id, payment.order_id, payment.billing_date],
      [4_990, subscription.id, null, today()],
    );
    assert.deepEqual(subscription.fee, { basis_points: 399, fixed_amount: 39, amount: payment.fee_amount });
    assert.equal(subscription.next_charge_amount, 4_990);
  });

  test('has the events of its creation, of its payment and of its activation, in this order', async () => {
    await subscribed(shop);
    assert.deepEqual(await story(shop), [
      'subscription.created payment_pending',
      'payment.created processing',
      'payment.authorized AUTHORIZED',
      'payment.capture_confirmed paid',
      'subscription.charge_succeeded active',
      'subscription.activated active',
      'subscription.updated active',
    ]);
  });

  test('has one invoice with its payment', async () => {
    const { id, payment, next_charge_at } = await subscribed(shop);
    const [invoice, ...others] = await invoices(shop, id);
    assert.deepEqual(others, []);
    assert.deepEqual(
      [invoice!.cycle, invoice!.status, invoice!.period_start, invoice!.period_end, invoice!.amount],
      [1, 'paid', today(), next_charge_at, 4_990],
    );
    assert.deepEqual(invoice!.payments, [payment]);
  });

  test('copies the prices of an offer', async () => {
    const offer_id = await newOffer(shop);
    const body = await subscriptionBody(shop, { offer_id, interval: undefined });
    const { amount: _, ...payment } = body.payment;
    const subscription = await created(subscribe(shop, { ...body, payment }));
    assert.deepEqual([subscription.offer_id, subscription.interval], [offer_id, 'monthly']);
    assert.deepEqual(subscription.ladder, [
      { start: 1, end: 3, amount: 2_990 },
      { start: 4, end: null, amount: 4_990 },
    ]);
    assert.equal(subscription.payment.amount, 2_990);
  });

  test('with a trial is charged when the trial is over', async () => {
    const subscription = await subscribed(shop, { trial_days: 10 });
    assert.deepEqual([subscription.status, subscription.payment], ['trial_started', null]);
    assert.equal(subscription.next_charge_at, addDays(today(), 10));
    assert.deepEqual(await invoices(shop, subscription.id), []);
    assert.deepEqual(await story(shop), ['subscription.created trial_started']);
  });

  test('has the trial of its offer, unless the request has another', async () => {
    const offer_id = await newOffer(shop, { trial_days: 7 });
    const fields = { offer_id, payment: undefined, interval: undefined };
    const body = await subscriptionBody(shop);
    const { amount: _, ...payment } = body.payment;
    const ofOffer = await created(subscribe(shop, { ...body, ...fields, payment, code: 'offer trial' }));
    assert.deepEqual([ofOffer.status, ofOffer.trial_days], ['trial_started', 7]);
    const none = { ...body, ...fields, payment, trial_days: 0, code: 'no trial' };
    assert.deepEqual((await created(subscribe(shop, none))).status, 'active');
  });

  test('that starts later waits for its start', async () => {
    const start_at = addDays(today(), 3);
    const subscription = await subscribed(shop, { start_at });
    assert.deepEqual([subscription.status, subscription.next_charge_at], ['payment_pending', start_at]);
  });

  test('is created also if the card is refused, and the charge will be retried tomorrow', async () => {
    const subscription = await subscribed(shop, {}, NO_FUNDS);
    assert.deepEqual(
      [subscription.status, subscription.payment.status, subscription.next_charge_at],
      ['payment_refused', 'refused', addDays(today(), 1)],
    );
    assert.equal((await invoices(shop, subscription.id))[0]!.status, 'past_due');
    assert.deepEqual((await story(shop)).slice(2), [
      'payment.refused refused',
      'subscription.charge_failed payment_refused',
      'subscription.past_due payment_refused',
    ]);
  });

  test('is unpaid at once if the card must not be tried again', async () => {
    const subscription = await subscribed(shop, {}, STOLEN);
    assert.equal(subscription.status, 'unpaid');
    assert.equal((await invoices(shop, subscription.id))[0]!.status, 'uncollectible');
  });

  test('whose first cycle is free is active without a payment', async () => {
    const cycles = [
      { start: 1, end: 1, amount: 0 },
      { start: 2, end: null, amount: 4_990 },
    ];
    const offer_id = await newOffer(shop, { cycles });
    const body = await subscriptionBody(shop, { offer_id });
    const { amount: _, ...payment } = body.payment;
    const subscription = await created(subscribe(shop, { ...body, payment }));
    assert.deepEqual([subscription.status, subscription.payment], ['active', null]);
    const [invoice] = await invoices(shop, subscription.id);
    assert.deepEqual([invoice!.status, invoice!.amount, invoice!.payments], ['paid', 0, []]);
    assert.deepEqual(await story(shop), [
      'subscription.created active',
      'subscription.charge_succeeded active',
      'subscription.activated active',
      'subscription.updated active',
    ]);
  });

  test('gets a code if the request has none, and is read by it', async () => {
    const subscription = await subscribed(shop, { code: undefined });
    assert.deepEqual(await shop.get(`/subscriptions/${subscription.code}`), subscription);
    assert.deepEqual(await shop.get(`/subscriptions/${subscription.id.toUpperCase()}`), subscription);
  });

  test('is created once by two requests with one Idempotency-Key', async () => {
    const body = await subscriptionBody(shop);
    const [first, second] = [await subscribe(shop, body, 'k'), await subscribe(shop, body, 'k')];
    assert.equal(first.text, second.text);
    assert.equal((await shop.get('/subscriptions')).data.length, 1);
  });
});

describe('a subscription is refused', () => {
  const refused = async (fields: object, ...paths: string[]) =>
    assertRefused(await subscribe(shop, await subscriptionBody(shop, fields)), ...paths);

  test('with neither an offer nor a price and an interval', async () => {
    const body = await subscriptionBody(shop, { interval: undefined });
    assertRefused(await subscribe(shop, body), 'interval');
    const { amount: _, ...payment } = body.payment;
    assertRefused(await subscribe(shop, { ...body, interval: 'monthly', payment }), 'payment.amount');
  });

  test('with another interval or price than its offer', async () => {
    const offer_id = await newOffer(shop);
    await refused({ offer_id, interval: 'yearly' }, 'interval', 'payment.amount');
  });

  test('with an offer that is archived, paid once or unknown', async () => {
    const offer_id = await newOffer(shop, { cycles: [{ start: 1, amount: 4_990 }] });
    await shop.post(`/product-offers/${offer_id}/archive`);
    await refused({ offer_id }, 'offer_id');
    await refused({ offer_id: UNKNOWN_ID }, 'offer_id');
  });

  test('if it is weekly', () => refused({ interval: 'weekly' }, 'interval'));
  test('if it starts yesterday', () => refused({ start_at: addDays(today(), -1) }, 'start_at'));
  test('with metadata, which subscriptions do not have', () => refused({ metadata: {} }, 'metadata'));
  test('with a trial of more than a year', () => refused({ trial_days: 366 }, 'trial_days'));

  test('by debit card', async () => {
    const body = await subscriptionBody(shop);
    const { credit_card: _, ...payment } = body.payment;
    const answer = await subscribe(shop, { ...body, payment: { ...payment, payment_method: 'debit_card' } });
    assertRefused(answer, 'payment.payment_method');
  });

  test('with a code that is used, an unknown customer and an unknown card, all named together', async () => {
    const body = await subscriptionBody(shop);
    await created(subscribe(shop, body));
    assertRefused(await subscribe(shop, body), 'code');
    const payment = { ...body.payment, credit_card: { id: UNKNOWN_ID } };
    const answer = await subscribe(shop, { ...body, customer: { id: UNKNOWN_ID }, payment });
    assertRefused(answer, 'code', 'customer.id', 'payment.credit_card.id');
  });

  test('with a card of another customer', async () => {
    const body = await subscriptionBody(shop);
    const id = await shop.card(await shop.customer(), GOOD);
    const answer = await subscribe(shop, { ...body, payment: { ...body.payment, credit_card: { id } } });
    assertRefused(answer, 'payment.credit_card.id');
  });

  test('of a merchant that is not approved', async () => {
    const body = await subscriptionBody(shop);
    await shop.suspend();
    assert.equal((await subscribe(shop, body)).status, 403);
  });
});
