/** Charges of cards that have expired, or were renewed or replaced by their issuer. */
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { merchantDay } from '../../../domain/local-time.ts';
import { billingDate } from '../../../domain/subscriptions/billing-dates.ts';
import { encryptCard, VISA } from '../../support/cards/cards.ts';
import { advance, DAY_MS, stepNames } from '../../support/clock-calls.ts';
import { commandsDuring, reconcile, withLostAnswers } from '../../support/payments/acquirer-calls.ts';
import { deliver } from '../../support/payments/notifications.ts';
import { fetchDueTokens } from '../../support/run-jobs.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { created, Shop } from '../../support/shop.ts';
import {
  GOOD,
  invoices,
  story,
  subscribe,
  subscribed,
  subscriptionBody,
} from '../../support/subscriptions/subscription-calls.ts';

const service = await sharedService({ jobs: false });
const inMonths = (count: number) =>
  billingDate({ start: merchantDay(new Date()), interval: 'monthly' }, count);

let shop: Shop;
beforeEach(async () => {
  service.setAhead(0);
  shop = await Shop.open(service);
});

const read = (id: string): Promise<Json> => shop.get(`/subscriptions/${id}`);

const RENEWED = '4000000000001299';
const REPLACED = '4000000000001307';

/** The last two digits of a year from now. */
const yearIn = (years: number) => String((Number(merchantDay(new Date()).slice(0, 4)) + years) % 100);
const advanceTo = (day: string, time = '06:00') => advance(shop, { to: `${day}T${time}:00-03:00` });

/**
 * A monthly subscription by a card that is good until the end of this month. With `token`, the card has a network
 * token.
 */
async function withExpiringCard(number: string, { token = false } = {}): Promise<Json> {
  const body = await subscriptionBody(shop);
  const [year, month] = merchantDay(new Date()).split('-');
  const plain = { ...VISA, number, expMonth: month!, expYear: year!.slice(2) };
  const encrypted = encryptCard(plain, shop.onboarded.encryptionKey);
  const card = await created(shop.post('/cards', { customer_id: body.customer.id, encrypted }));
  const payment = { ...body.payment, credit_card: { id: card.id } };
  const subscription = await created(subscribe(shop, { ...body, payment }));
  assert.equal(subscription.status, 'active');
  if (token) await fetchDueTokens(service.deps);
  return subscription;
}

const expiryOf = async (cardId: string) => {
  const { exp_month, exp_year, last_4 } = await shop.get(`/cards/${cardId}`);
  return { exp_month, exp_year, last_4 };
};

describe('a card that has expired', () => {
  for (const token of [false, true]) {
    test(`is refused ${token ? 'by its network token too' : 'for good'}, and another card pays the cycle`, async () => {
      const { id, customer_id } = await withExpiringCard(GOOD, { token });
      await advanceTo(inMonths(1));
      const { status, payment } = await read(id);
      assert.deepEqual([status, payment.status], ['unpaid', 'refused']);
      assert.deepEqual([payment.refusal.code, payment.refusal.retryable], ['expired_card', false]);
      assert.deepEqual((await story(shop)).slice(-4), [
        'payment.created processing',
        'payment.refused refused',
        'subscription.charge_failed unpaid',
        'subscription.unpaid unpaid',
      ]);
      const body = {
        payment_method: 'credit_card',
        credit_card: { id: await shop.card(customer_id, '5555555555554444') },
      };
      const moved = await shop.call('PUT', `/subscriptions/${id}/payment-method`, { body });
      assert.deepEqual([moved.status, moved.body.status], [200, 'active']);
    });
  }
});

describe('a card with a network token', () => {
  test('is charged by its token after the first charge, and never by its number again', async () => {
    const { id, card_id } = await subscribed(shop);
    const charge = (days: number) => commandsDuring(service, () => advance(shop, { days }));
    assert.ok('card' in (await charge(32)).find(({ kind }) => kind === 'authorize')!);
    await fetchDueTokens(service.deps);
    const [command] = (await charge(31)).filter(({ kind }) => kind === 'authorize');
    assert.ok(command !== undefined && 'networkToken' in command);
    assert.match(command.networkToken, /^ntk_/);
    assert.equal(command.cardId, card_id);
    assert.ok(!JSON.stringify(command).includes(GOOD));
    assert.equal((await read(id)).successful_charges, 3);
  });

  test('that its issuer renews is charged on, with the new expiry', async () => {
    const { id, card_id } = await withExpiringCard(RENEWED, { token: true });
    const before = await expiryOf(card_id);
    const advanced = await advanceTo(inMonths(2));
    assert.deepEqual(stepNames(advanced), ['acquirer_network_token_updated', 'bill_cycle', 'bill_cycle']);
    assert.equal((await read(id)).successful_charges, 3);
    assert.deepEqual(await expiryOf(card_id), { ...before, exp_year: yearIn(4) });
    await advance(shop, { days: 4 * 366 });
    assert.equal((await read(id)).status, 'active');
    assert.deepEqual(await expiryOf(card_id), { ...before, exp_year: yearIn(8) });
  });

  test('that its issuer replaces is charged on, and the charge shows the new card', async () => {
    const { id, card_id } = await withExpiringCard(REPLACED, { token: true });
    await advanceTo(inMonths(1));
    const { status, payment } = await read(id);
    assert.deepEqual([status, payment.status, payment.credit_card.last_4], ['active', 'paid', '6307']);
    assert.equal((await expiryOf(card_id)).last_4, '6307');
  });

  test('whose charge loses its answer is charged once', async () => {
    const { id } = await withExpiringCard(RENEWED, { token: true });
    await advanceTo(inMonths(1), '05:00');
    await withLostAnswers(service, () => advanceTo(inMonths(1)));
    await reconcile(service);
    assert.equal((await read(id)).successful_charges, 2);
    assert.equal((await invoices(shop, id))[1]!.payments.length, 1);
  });

  test('does not change by a report that comes again, late, or for a token that it does not have', async () => {
    const { card_id } = await withExpiringCard(GOOD, { token: true });
    const [row] = await service.rows<{ reference: string }>(
      'select network_token_reference as reference from cards where id = :card_id',
      { card_id },
    );
    const card = { first_6: '424242', last_4: '1111', exp_month: '05', exp_year: '44' };
    const report = {
      ...{
        id: 'n1',
        account: shop.account,
        reference: row!.reference,
        type: 'network_token.updated' as const,
      },
      ...{ occurred_at: new Date().toISOString(), card },
    };
    const updated = { last_4: '1111', exp_month: '05', exp_year: '44' };
    assert.equal(await deliver(service, report), 204);
    assert.deepEqual(await expiryOf(card_id), updated);
    const earlier = { occurred_at: new Date(Date.now() - DAY_MS).toISOString() };
    for (const late of [{}, earlier]) {
      assert.equal(
        await deliver(service, { ...report, ...late, id: 'n2', card: { ...card, last_4: '2222' } }),
        204,
      );
    }
    assert.deepEqual(await expiryOf(card_id), updated);
    const other = await Shop.open(service);
    assert.equal(await deliver(service, { ...report, account: other.account }), 404);
    assert.equal(await deliver(service, { ...report, reference: `${row!.reference}0` }), 404);
    assert.equal(await deliver(service, { ...report, card: { ...card, exp_month: '13' } }), 401);
    assert.equal((await shop.call('DELETE', `/cards/${card_id}`)).status, 409);
  });
});
