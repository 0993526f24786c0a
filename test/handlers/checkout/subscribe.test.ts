/** Buyers who subscribe at the page of a recurring offer or payment link (contract rows 13.14 to 13.16, 8.4). */
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { MASTERCARD } from '../../support/cards/cards.ts';
import { customerBody } from '../../support/orders/parties.ts';
import { CheckoutPage, pixBody } from '../../support/pages/checkout-page.ts';
import { recurringOffer } from '../../support/pages/offer-bodies.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { Shop } from '../../support/shop.ts';
import { changePlan, figures, offerOf, script } from '../../support/subscriptions/plan-change-calls.ts';
import { invoices, NO_FUNDS, story } from '../../support/subscriptions/subscription-calls.ts';

const service = await sharedService({ jobs: false });
let shop: Shop;
beforeEach(async () => {
  shop = await Shop.open(service);
});

const MONTHLY = { recurrence_interval: 'monthly', payment_methods: ['credit_card'], amount: 4_990 };
const ofLink = (fields: object = {}) => CheckoutPage.ofLink(shop, { ...MONTHLY, ...fields });
const ofOffer = (fields: object = {}) =>
  CheckoutPage.ofOffer(shop, recurringOffer({ trial_days: undefined, ...fields }));
const subscriptions = async (): Promise<Json[]> => (await shop.get('/subscriptions?per_page=100')).data;
/** A day that many days from now, in São Paulo. */
const dayIn = (days: number) =>
  new Date(Date.now() - 3 * 3_600_000 + days * 86_400_000).toISOString().slice(0, 10);

describe('a buyer who subscribes', () => {
  test('sees all prices with their dates, and is charged as shown', async () => {
    const page = await ofOffer({ trial_days: 7 });
    const { body } = await page.read();
    assert.equal(body.payable, true);
    const [first, second] = body.recurrence.price_bands;
    assert.partialDeepStrictEqual(body.recurrence, { interval: 'monthly', trial_days: 7 });
    assert.deepEqual(first, { start: 1, end: 3, amount: 2_990, first_charge_on: dayIn(7) });
    const made = await page.subscribed(await page.subscriptionBody());
    assert.partialDeepStrictEqual(made, {
      status: 'trial_started',
      payment: null,
      next_charge_at: first.first_charge_on,
      next_charge_amount: 2_990,
      credit_card: { brand: 'visa', last_4: '4242' },
    });
    await shop.post('/sandbox/clock/advance', { days: 110 });
    const [subscription] = await subscriptions();
    assert.deepEqual([subscription!.payment_link_id, subscription!.offer_id], [null, page.id]);
    const charged = await invoices(shop, subscription!.id);
    assert.deepEqual(charged.map(({ amount, billing_date }) => [amount, billing_date])[3], [
      4_990,
      second.first_charge_on,
    ]);
  });

  test('is charged at once without a trial, and can read the subscription later', async () => {
    const page = await ofLink();
    const made = await page.subscribed(await page.subscriptionBody());
    assert.equal(made.status, 'active');
    assert.partialDeepStrictEqual(made.payment, { status: 'paid', amount: 4_990 });
    const [subscription] = await subscriptions();
    assert.partialDeepStrictEqual(subscription!, {
      code: made.hash,
      status: 'active',
      interval: 'monthly',
      payment_link_id: page.id,
      offer_id: null,
    });
    assert.equal((await shop.get(`/payments?payment_link_id=${page.id}`)).data.length, 1);
    await shop.post('/sandbox/clock/advance', { days: 32 });
    assert.equal((await shop.get(`/payments?payment_link_id=${page.id}`)).data.length, 2);
    await shop.post('/subscriptions/cancel', { id: subscription!.id });
    const read = await page.subscription(made.hash);
    assert.deepEqual([read.status, read.next_charge_at], ['canceled', null]);
    assert.notEqual(read.ends_at, null);
  });

  test('has no access until a later day if the subscription is canceled while a cycle is overdue', async () => {
    const page = await ofLink();
    const made = await page.subscribed(await page.subscriptionBody());
    const [{ id, card_id }] = (await subscriptions()) as [Json];
    await script(shop, card_id, 'insufficient_funds');
    await shop.post('/sandbox/clock/advance', { to: `${made.next_charge_at}T06:00:00-03:00` });
    assert.equal((await page.subscription(made.hash)).status, 'past_due');
    await shop.post('/subscriptions/cancel', { id });
    assert.notEqual((await shop.get(`/subscriptions/${id}`)).ends_at, null);
    const read = await page.subscription(made.hash);
    assert.deepEqual([read.status, read.ends_at], ['canceled', null]);
  });

  test('starts a free first cycle without a charge', async () => {
    const page = await ofOffer({
      cycles: [
        { start: 1, end: 1, amount: 0 },
        { start: 2, end: null, amount: 900 },
      ],
    });
    const made = await page.subscribed(await page.subscriptionBody());
    assert.partialDeepStrictEqual(made, { status: 'active', payment: null, next_charge_amount: 900 });
  });

  test('is refused on other terms than the page shows now', async () => {
    const page = await ofOffer();
    const body = await page.subscriptionBody();
    const changes = [
      { cycles: [{ start: 1, end: null, amount: 2_990 }] },
      { interval: 'quarterly' },
      { trial_days: 3 },
    ];
    for (const change of changes) {
      await shop.call('PUT', `/product-offers/${page.id}`, { body: change });
      const answer = await page.subscribe(body);
      assert.equal(answer.status, 422);
      assert.deepEqual(Object.keys(answer.body.errors), ['terms']);
    }
    assert.deepEqual(await subscriptions(), []);
    assert.equal((await page.subscribe(await page.subscriptionBody())).status, 201);
  });

  test('subscribes once by a double click', async () => {
    const page = await ofLink();
    const body = await page.subscriptionBody();
    const send = () => page.subscribe(body, { idempotencyKey: 'one-click-on-subscribe' });
    const [one, other] = await Promise.all([send(), send()]);
    assert.ok([one, other].some(({ status }) => status === 201));
    assert.equal((await send()).status, 201);
    assert.equal((await subscriptions()).length, 1);
    assert.equal((await shop.get('/payments')).data.length, 1);
  });

  test('does not subscribe twice with one card, also from two windows at the same time', async () => {
    const page = await ofLink();
    const customer = customerBody();
    const send = async (fields: object = {}, card = {}) =>
      page.subscribe(await page.subscriptionBody({ customer, ...fields }, card));
    const answers = await Promise.all([send(), send(), send()]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 422, 422]);
    const second = answers.find(({ status }) => status === 422)!;
    assert.deepEqual(Object.keys(second.body.errors), ['customer']);
    // Another person may type the same e-mail address, and a person may subscribe for two.
    assert.equal((await send({}, { number: '5555555555554444' })).status, 201);
    assert.equal((await send({ customer: customerBody() })).status, 201);
    const [latest] = await subscriptions();
    await shop.post('/subscriptions/cancel', { id: latest!.id });
    const again = await page.subscribe(await page.subscriptionBody({ customer }));
    assert.equal(again.status, 422, 'the first one is still active');
  });

  test('does not subscribe twice after a change of the plan, and reads the page where it was started', async () => {
    const page = await ofOffer();
    const customer = customerBody();
    const made = await page.subscribed(await page.subscriptionBody({ customer }));
    const dearer = await ofOffer({ cycles: [{ start: 1, end: null, amount: 9_990 }] });
    const [subscription] = await subscriptions();
    const body = { offer_id: dearer.id };
    assert.equal((await shop.post(`/subscriptions/${subscription!.id}/change-plan`, body)).status, 200);
    await shop.post('/sandbox/clock/advance', { days: 32 });
    assert.equal((await subscriptions())[0]!.offer_id, dearer.id);
    for (const same of [page, dearer]) {
      const again = await same.subscribe(await same.subscriptionBody({ customer }));
      assert.equal(again.status, 422, again.text);
      assert.deepEqual(Object.keys(again.body.errors), ['customer']);
    }
    const other = await ofOffer();
    assert.equal((await other.subscribe(await other.subscriptionBody({ customer }))).status, 201);
    assert.equal((await page.subscription(made.hash)).checkout_url, made.checkout_url);
  });

  test('sees what the next charge takes after a credit', async () => {
    const page = await ofOffer();
    const { hash } = await page.subscribed(await page.subscriptionBody());
    const [subscription] = await subscriptions();
    const body = { offer_id: await offerOf(shop, 1_000), effective: 'immediate' };
    const { delta } = await figures(changePlan(shop, subscription!.id, body));
    assert.ok(delta < -1_000, `${delta} is a credit of more than the next price`);
    assert.equal((await page.subscription(hash)).next_charge_amount, 0);
  });

  test('gets a 422 at the operation of the other kind of page', async () => {
    const recurring = await ofLink();
    const once = await CheckoutPage.ofLink(shop);
    const pay = await recurring.pay(await recurring.cardBody());
    assert.match(pay.body.errors.status[0], /subscriptions/);
    const body = { ...(await once.cardBody()), terms: 'x' };
    assert.match((await once.subscribe(body)).body.errors.status[0], /payments/);
    const pix = await recurring.subscribe({ ...pixBody(), terms: 'x' });
    assert.deepEqual(Object.keys(pix.body.errors), ['payment_method']);
  });
});

describe('a first charge that is refused', () => {
  test('ends the subscription, so that another card does not make a second charge', async () => {
    const page = await ofLink();
    const customer = customerBody();
    const refused = await page.subscribed(await page.subscriptionBody({ customer }, { number: NO_FUNDS }));
    assert.partialDeepStrictEqual(refused, { status: 'ended', next_charge_at: null });
    assert.equal(refused.payment.refusal.code, 'insufficient_funds');
    const [ended] = await subscriptions();
    assert.deepEqual(
      (await invoices(shop, ended!.id)).map(({ status }) => status),
      ['void'],
    );
    assert.deepEqual(await story(shop), [
      'subscription.created payment_pending',
      'payment.created processing',
      'payment.refused refused',
      'subscription.charge_failed ended',
      'subscription.ended ended',
    ]);
    const second = await page.subscribed(await page.subscriptionBody({ customer }));
    assert.equal(second.status, 'active');
    await shop.post('/sandbox/clock/advance', { days: 20 });
    const paid = (await shop.get('/payments?status=paid')).data;
    assert.deepEqual(
      paid.map(({ subscription_id }: Json) => subscription_id),
      [(await subscriptions())[0]!.id],
    );
  });

  test('is retried if it follows a trial', async () => {
    const page = await ofLink({ recurrence_trial_days: 3 });
    const made = await page.subscribed(await page.subscriptionBody({}, { number: NO_FUNDS }));
    assert.equal(made.status, 'trial_started');
    // A charge is made at 06:00 of its day, which may be later than now.
    await shop.post('/sandbox/clock/advance', { days: 4 });
    assert.equal((await page.subscription(made.hash)).status, 'past_due');
  });
});

describe('the page of a subscription', () => {
  test('finds no subscription that the merchant created', async () => {
    const page = await ofOffer();
    const customerId = await shop.customer();
    const { body } = await shop.post('/charges/subscriptions', {
      mcc: '5734',
      code: 'c5n3wd4qyx7k2ztrj6mbhs5ofe',
      offer_id: page.id,
      customer: { id: customerId },
      payment: { payment_method: 'credit_card', credit_card: { id: await shop.card(customerId) } },
    });
    assert.equal(body.status, 'active');
    const answer = await page.call('GET', `/subscriptions/${body.code}`);
    assert.equal(answer.status, 404);
  });

  test('shows no next charge while the charge of a cycle has been given up', async () => {
    const page = await ofOffer({ cycles: [{ start: 1, amount: 900 }] });
    const { hash } = await page.subscribed(await page.subscriptionBody());
    const { id, customer_id } = await shop.get(`/subscriptions/${hash}`);
    await shop.post('/sandbox/scripts', {
      customer_id,
      outcomes: [{ operation: 'authorize', outcome: 'stolen_card' }],
    });
    const next = async () => {
      const { status, next_charge_at, next_charge_amount } = await page.subscription(hash);
      return [status, next_charge_at, next_charge_amount];
    };
    await shop.post('/sandbox/clock/advance', { days: 45 });
    assert.deepEqual(await next(), ['unpaid', null, null]);
    await shop.call('PUT', `/subscriptions/${id}/payment-method`, {
      body: {
        payment_method: 'credit_card',
        credit_card: { id: await shop.card(customer_id, MASTERCARD.number) },
      },
    });
    const [status, on, amount] = await next();
    assert.deepEqual([status, amount], ['active', 900]);
    assert.notEqual(on, null);
  });
});
