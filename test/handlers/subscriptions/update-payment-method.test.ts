import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { addDays } from '../../../domain/business-days.ts';
import { merchantDay } from '../../../domain/local-time.ts';
import { billingDate } from '../../../domain/subscriptions/billing-dates.ts';
import { advance } from '../../support/clock-calls.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { assertRefused, Shop, UNKNOWN_ID } from '../../support/shop.ts';
import {
  GOOD,
  invoices,
  NO_FUNDS,
  STOLEN,
  story,
  subscribed,
} from '../../support/subscriptions/subscription-calls.ts';

const service = await sharedService({ jobs: false });
let shop: Shop;
beforeEach(async () => {
  shop = await Shop.open(service);
});

const advanceTo = (day: string) => advance(shop, { to: `${day}T06:00:00-03:00` });
const today = () => merchantDay(new Date());
const inMonths = (count: number) => billingDate({ start: today(), interval: 'monthly' }, count);

const put = (id: string, cardId: string) =>
  shop.call('PUT', `/subscriptions/${id}/payment-method`, {
    body: { payment_method: 'credit_card', credit_card: { id: cardId } },
  });

async function changed(id: string, cardId: string): Promise<Json> {
  const { status, body, text } = await put(id, cardId);
  assert.equal(status, 200, text);
  return body;
}

describe('another card', () => {
  test('is charged from the next cycle on', async () => {
    const { id, code, customer_id } = await subscribed(shop);
    const card = await shop.card(customer_id, '5555555555554444');
    const subscription = await changed(code, card);
    assert.deepEqual([subscription.status, subscription.card_id], ['active', card]);
    assert.equal((await invoices(shop, id)).length, 1);
    assert.equal((await story(shop)).at(-1), 'subscription.updated active');
    await advanceTo(inMonths(1));
    const { payment, successful_charges } = await shop.get(`/subscriptions/${id}`);
    assert.deepEqual([successful_charges, payment.credit_card.id], [2, card]);
  });

  test('recovers an unpaid subscription at once', async () => {
    const { id, customer_id } = await subscribed(shop, {}, STOLEN);
    const recovered = await changed(id, await shop.card(customer_id, GOOD));
    assert.deepEqual(
      [recovered.status, recovered.successful_charges, recovered.next_charge_at],
      ['active', 1, inMonths(1)],
    );
    const [invoice, ...others] = await invoices(shop, id);
    assert.deepEqual(others, []);
    assert.deepEqual(
      [invoice!.status, invoice!.payments.map(({ status }: Json) => status)],
      ['paid', ['refused', 'paid']],
    );
    assert.deepEqual((await story(shop)).slice(-3), [
      'subscription.charge_succeeded active',
      'subscription.activated active',
      'subscription.updated active',
    ]);
  });

  test('that is refused too begins the retries again', async () => {
    const { id, customer_id } = await subscribed(shop, {}, NO_FUNDS);
    await advanceTo(addDays(today(), 4));
    const late = await changed(id, await shop.card(customer_id, NO_FUNDS));
    assert.deepEqual(
      [late.status, late.payment.status, late.next_charge_at],
      ['payment_refused', 'refused', addDays(today(), 5)],
    );
  });

  test('that is refused leaves an unpaid subscription unpaid, without retries', async () => {
    const { id, customer_id } = await subscribed(shop, {}, STOLEN);
    assert.equal((await changed(id, await shop.card(customer_id, NO_FUNDS))).status, 'unpaid');
    await advanceTo(addDays(today(), 10));
    assert.equal((await invoices(shop, id))[0]!.payments.length, 2);
  });
});

describe('a change of the card is refused', () => {
  test('with a card that does not exist, or of another customer', async () => {
    const { id } = await subscribed(shop);
    const others = await shop.card(await shop.customer());
    for (const card of [UNKNOWN_ID, others]) assertRefused(await put(id, card), 'credit_card.id');
  });

  test('for a subscription that is canceled', async () => {
    const { id, card_id } = await subscribed(shop);
    await shop.post('/subscriptions/cancel', { id });
    assertRefused(await put(id, card_id), 'status');
  });

  test('for a subscription that does not exist', async () => {
    assert.equal((await put('no such code', UNKNOWN_ID)).status, 404);
  });
});
