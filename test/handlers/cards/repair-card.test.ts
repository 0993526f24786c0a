/**
 * Cards whose sealed values cannot be read any more, as after the loss of a key of the vault, and how a buyer repairs
 * them.
 */
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { addDays } from '../../../domain/business-days.ts';
import { merchantDay } from '../../../domain/local-time.ts';
import { billingDate } from '../../../domain/subscriptions/billing-dates.ts';
import { type PlainCard, SAME_ENDS, VISA } from '../../support/cards/cards.ts';
import {
  enterCard,
  loseSealed,
  orderByCard,
  type SealedColumn,
  usedCard,
} from '../../support/cards/lost-cards.ts';
import { advance } from '../../support/clock-calls.ts';
import { CheckoutPage } from '../../support/pages/checkout-page.ts';
import { commandsDuring } from '../../support/payments/acquirer-calls.ts';
import { fetchDueTokens } from '../../support/run-jobs.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { assertRefused, Shop } from '../../support/shop.ts';
import { invoices, subscribe, subscribed } from '../../support/subscriptions/subscription-calls.ts';

const service = await sharedService({ jobs: false });
const inMonths = (count: number) =>
  billingDate({ start: merchantDay(new Date()), interval: 'monthly' }, count);

let shop: Shop;
beforeEach(async () => {
  service.setAhead(0);
  shop = await Shop.open(service);
});

const lose = (...columns: SealedColumn[]) => loseSealed(service, shop, ...columns);

/** As if the keys of the security codes that wait for the first charge were lost. */
async function loseSecurityCodes(): Promise<void> {
  await service.rows(
    'update card_security_codes set code_sealed = set_byte(code_sealed, 20, 255 - get_byte(code_sealed, 20)) where merchant_id = :account',
    { account: shop.account },
  );
}

const enter = (customer: string, card?: Partial<PlainCard>) => enterCard(shop, customer, card);
const pay = (customer: string, card: string) => shop.order(orderByCard(customer, card));

/** The card fields that a charge sends to the acquirer. */
async function chargedBy(customer: string, card: string): Promise<Json> {
  const [command] = await commandsDuring(service, async () => {
    assert.equal((await pay(customer, card)).status, 201);
  });
  return command as Json;
}

const putCard = (id: string, card: string) =>
  shop.call('PUT', `/subscriptions/${id}/payment-method`, {
    body: { payment_method: 'credit_card', credit_card: { id: card } },
  });

describe('a card that cannot be read', () => {
  test('is refused for an order, by the field of the card, and no order exists', async () => {
    const { customer, card } = await usedCard(shop);
    await lose('number_sealed');
    for (const method of ['credit_card', 'debit_card']) {
      const body = orderByCard(customer, card, method);
      assertRefused(await shop.order(body), `payment.${method}.id`);
      assert.equal((await shop.call('GET', `/charges/orders/${body.code}`)).status, 404);
    }
  });

  test('is refused for a subscription with and without a trial', async () => {
    const { customer, card } = await usedCard(shop);
    await lose('number_sealed');
    const body = {
      interval: 'monthly',
      mcc: '5734',
      customer: { id: customer },
      payment: { amount: 4_990, payment_method: 'credit_card', credit_card: { id: card } },
    };
    assertRefused(await subscribe(shop, body), 'payment.credit_card.id');
    assertRefused(await subscribe(shop, { ...body, trial_days: 7 }), 'payment.credit_card.id');
    assert.deepEqual((await shop.get('/subscriptions')).data, []);
  });

  test('is refused as the payment method of a subscription, which does not change', async () => {
    const { id, card_id } = await subscribed(shop);
    const before = await shop.get(`/subscriptions/${id}`);
    await lose('number_sealed');
    assertRefused(await putCard(id, card_id), 'credit_card.id');
    assert.deepEqual(await shop.get(`/subscriptions/${id}`), before);
  });

  test('does not hinder captures, cancellations and refunds of its payments', async () => {
    const { payment } = await usedCard(shop);
    const other = (await usedCard(shop)).payment;
    await lose('number_sealed');
    assert.equal((await shop.capture(payment.id)).body.status, 'paid');
    assert.equal((await shop.refund(payment.id)).status, 201);
    assert.equal((await shop.cancel(other.id)).body.status, 'canceled');
  });

  test('is not refused while its network token or its number can be read', async () => {
    const { customer, card } = await usedCard(shop);
    await fetchDueTokens(service.deps);
    await lose('number_sealed');
    assert.ok((await chargedBy(customer, card)).networkToken);
    await lose('number_sealed', 'network_token_sealed');
    assert.equal((await chargedBy(customer, card)).card.number, VISA.number);
  });

  test('is charged without the security code if only that cannot be read', async () => {
    const customer = await shop.customer();
    const card = await shop.card(customer);
    await loseSecurityCodes();
    const { card: charged } = await chargedBy(customer, card);
    assert.deepEqual([charged.number, charged.securityCode], [VISA.number, null]);
  });
});

describe('a card that is entered again', () => {
  test('is repaired, and keeps its id and what is stored of it', async () => {
    const { customer, card } = await usedCard(shop);
    const before = await shop.get(`/cards/${card}`);
    await lose('number_sealed');
    const { status, body } = await enter(customer, { securityCode: '987' });
    assert.deepEqual([status, { ...body, updated_at: before.updated_at }], [200, before]);
    const { card: charged } = await chargedBy(customer, card);
    assert.deepEqual([charged.number, charged.securityCode], [VISA.number, '987']);
    assert.equal((await chargedBy(customer, card)).card.securityCode, null);
  });

  test('is charged by its subscription at the next attempt', async () => {
    const { id, customer_id, card_id } = await subscribed(shop);
    await lose('number_sealed');
    await advance(shop, { to: `${inMonths(1)}T07:00:00-03:00` });
    assert.equal((await shop.get(`/subscriptions/${id}`)).successful_charges, 1);
    assert.deepEqual((await enter(customer_id)).body.id, card_id);
    await advance(shop, { days: 1 });
    assert.equal((await shop.get(`/subscriptions/${id}`)).successful_charges, 2);
    const [, renewal] = await invoices(shop, id);
    assert.deepEqual([renewal!.status, renewal!.payments.length], ['paid', 1]);
  });

  test('recovers a subscription that was given up when it is named again', async () => {
    const { id, customer_id, card_id } = await subscribed(shop);
    await lose('number_sealed');
    await advance(shop, { to: `${addDays(inMonths(1), 8)}T07:00:00-03:00` });
    assert.equal((await shop.get(`/subscriptions/${id}`)).status, 'unpaid');
    assertRefused(await putCard(id, card_id), 'credit_card.id');
    await enter(customer_id);
    const { status, body } = await putCard(id, card_id);
    assert.deepEqual([status, body.status, body.successful_charges], [200, 'active', 2]);
  });

  test('with another holder or expiry is another card, and repairs those with its number', async () => {
    const { customer, card } = await usedCard(shop);
    await lose('number_sealed');
    const { status, body } = await enter(customer, { holder: 'ANA M SOUZA', expYear: '41' });
    assert.equal(status, 201);
    assert.notEqual(body.id, card);
    const { card: charged } = await chargedBy(customer, card);
    assert.deepEqual([charged.number, charged.holder, charged.expYear], [VISA.number, 'ANA SOUZA', '39']);
  });

  test('is repaired before it was ever charged', async () => {
    const { id, customer_id, card_id } = await subscribed(shop, { trial_days: 7 });
    await lose('number_sealed');
    const { status, body } = await enter(customer_id);
    assert.equal(status, 201);
    assert.notEqual(body.id, card_id);
    await advance(shop, { days: 8 });
    assert.equal((await shop.get(`/subscriptions/${id}`)).successful_charges, 1);
  });

  test('with other middle digits is another card, because the first one cannot be charged', async () => {
    const { customer, card } = await usedCard(shop);
    const number = SAME_ENDS;
    assert.deepEqual((await enter(customer, { number })).body.id, card);
    await lose('number_sealed');
    const { status, body } = await enter(customer, { number });
    assert.equal(status, 201);
    assert.equal((await chargedBy(customer, body.id)).card.number, number);
    assertRefused(await pay(customer, card), 'payment.credit_card.id');
  });

  test('is another card if the key of the fingerprints was lost too', async () => {
    const { customer, card } = await usedCard(shop);
    await lose('number_sealed');
    await service.rows('update cards set fingerprint = decode(:hex, :form) where merchant_id = :account', {
      hex: 'ab'.repeat(32),
      form: 'hex',
      account: shop.account,
    });
    const { status, body } = await enter(customer);
    assert.equal(status, 201);
    assert.notEqual(body.id, card);
    assert.equal((await pay(customer, body.id)).status, 201);
    assert.deepEqual([(await enter(customer)).status, (await enter(customer)).body.id], [200, body.id]);
  });

  test('gets another network token if the first one cannot be read', async () => {
    const { customer, card } = await usedCard(shop);
    await fetchDueTokens(service.deps);
    await lose('number_sealed', 'network_token_sealed');
    assertRefused(await pay(customer, card), 'payment.credit_card.id');
    assert.equal((await enter(customer)).body.network_token.status, 'requested');
    assert.equal((await chargedBy(customer, card)).card.number, VISA.number);
    await fetchDueTokens(service.deps);
    assert.equal((await shop.get(`/cards/${card}`)).network_token.status, 'active');
    assert.ok((await chargedBy(customer, card)).networkToken);
  });

  test('keeps a network token that can be read', async () => {
    const { customer, card } = await usedCard(shop);
    await fetchDueTokens(service.deps);
    const { networkToken } = await chargedBy(customer, card);
    await lose('number_sealed');
    assert.equal((await enter(customer)).body.network_token.status, 'active');
    await chargedBy(customer, card);
    assert.equal((await chargedBy(customer, card)).networkToken, networkToken);
  });

  test('gets the network token whose requests failed without its number', async () => {
    const { customer, card } = await usedCard(shop);
    await lose('number_sealed');
    for (let attempt = 0; attempt < 30; attempt++) {
      service.setAhead((attempt + 1) * 2 * 3_600_000);
      await fetchDueTokens(service.deps);
    }
    assert.equal((await shop.get(`/cards/${card}`)).network_token.status, 'failed');
    assert.equal((await enter(customer)).body.network_token.status, 'requested');
    await fetchDueTokens(service.deps);
    assert.equal((await shop.get(`/cards/${card}`)).network_token.status, 'active');
  });

  test('at a checkout page is repaired, also for the merchant', async () => {
    const page = await CheckoutPage.ofLink(shop);
    const first = await page.cardBody();
    await page.paid(first);
    const [paid] = (await shop.get('/payments')).data;
    await lose('number_sealed');
    assertRefused(await pay(paid.customer_id, paid.credit_card.id), 'payment.credit_card.id');
    await page.paid(await page.cardBody({ customer: first.customer }));
    const [again] = (await shop.get('/payments')).data;
    assert.equal(again.credit_card.id, paid.credit_card.id);
    assert.equal((await pay(paid.customer_id, paid.credit_card.id)).status, 201);
  });

  test('repairs no card of another customer or merchant', async () => {
    const { customer, card } = await usedCard(shop);
    const elsewhere = await usedCard(shop);
    await lose('number_sealed');
    await enter(elsewhere.customer);
    assertRefused(await pay(customer, card), 'payment.credit_card.id');
    assert.equal((await pay(elsewhere.customer, elsewhere.card)).status, 201);
  });
});
