import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { addDays } from '../../../domain/business-days.ts';
import { merchantDay } from '../../../domain/local-time.ts';
import { billingDate } from '../../../domain/subscriptions/billing-dates.ts';
import { advance } from '../../support/clock-calls.ts';
import { withLostAnswers } from '../../support/payments/acquirer-calls.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { assertRefused, created, Shop, UNKNOWN_ID } from '../../support/shop.ts';
import {
  authorize,
  authorized,
  mandateStates,
  putPixRecurring,
} from '../../support/subscriptions/pix-recurring-calls.ts';
import { changePlan, offerOf } from '../../support/subscriptions/plan-change-calls.ts';
import { invoices, subscribed } from '../../support/subscriptions/subscription-calls.ts';

const service = await sharedService({ jobs: false });
let shop: Shop;
beforeEach(async () => {
  shop = await Shop.open(service);
});

const advanceTo = (day: string, time = '06:00') => advance(shop, { to: `${day}T${time}:00-03:00` });
const nextMonth = () => billingDate({ start: merchantDay(new Date()), interval: 'monthly' }, 1);

/** The request is refused for this field, and nothing changes. */
async function refused(id: string, offer_id: string, field: string, terms: object = {}): Promise<string> {
  const [before, mandates] = [await shop.get(`/subscriptions/${id}`), await mandateStates(shop)];
  const answer = await putPixRecurring(shop, id, terms, { offer_id });
  assertRefused(answer, field);
  assert.deepEqual(await shop.get(`/subscriptions/${id}`), before);
  assert.deepEqual(await mandateStates(shop), mandates);
  return answer.body.errors[field].join();
}

describe('a new mandate for another plan is refused', () => {
  test('for an offer that is unknown, archived, sold once, or over before the next cycle', async () => {
    const { id } = await authorized(shop);
    const others = await offerOf(await Shop.open(service), 9_990);
    const archived = await offerOf(shop, 9_990);
    await shop.post(`/product-offers/${archived}/archive`);
    const product = await created(shop.post('/products', { name: 'Curso' }));
    const sold = { type: 'one_time', name: 'Avulso', amount: 9_990 };
    const once = await created(shop.post(`/products/${product.id}/offers`, sold));
    const ended = await offerOf(shop, 1, { cycles: [{ start: 1, end: 1, amount: 9_990 }] });
    for (const offer_id of [UNKNOWN_ID, others, archived, once.id, ended, 'no uuid']) {
      await refused(id, offer_id, 'offer_id');
    }
  });

  test('for an offer that is over before the cycle after the one that opens while the payer decides', async () => {
    const { id } = await authorized(shop);
    const offer_id = await offerOf(shop, 1, { cycles: [{ start: 1, end: 2, amount: 9_990 }] });
    await advanceTo(addDays(nextMonth(), -3), '05:45');
    await refused(id, offer_id, 'offer_id');
  });

  test('with amounts that are not the prices of the offer', async () => {
    const { id } = await authorized(shop);
    const offer_id = await offerOf(shop, 9_990);
    await refused(id, offer_id, 'pix_recurring.recurring_amount', { recurring_amount: 4_990 });
    await refused(id, offer_id, 'pix_recurring.min_amount', { min_amount: 9_991 });
  });

  test('for another payment method', async () => {
    const { id, card_id } = await subscribed(shop);
    const offer_id = await offerOf(shop, 9_990);
    for (const method of [
      { payment_method: 'credit_card', credit_card: { id: card_id } },
      { payment_method: 'bank_slip' },
    ]) {
      const answer = await shop.call('PUT', `/subscriptions/${id}/payment-method`, {
        body: { ...method, offer_id },
      });
      assertRefused(answer, 'offer_id');
    }
  });

  test('for a subscription that is canceled', async () => {
    const { id } = await authorized(shop);
    await shop.post('/subscriptions/cancel', { id });
    await refused(id, await offerOf(shop, 9_990), 'status');
  });

  test('while the charge of an upgrade has no outcome', async () => {
    const { id } = await subscribed(shop);
    const offer_id = await offerOf(shop, 9_990);
    await withLostAnswers(service, () => changePlan(shop, id, { offer_id, effective: 'immediate' }));
    const before = await shop.get(`/subscriptions/${id}`);
    for (const fields of [{ offer_id }, {}]) {
      const { status, body, headers } = await putPixRecurring(shop, id, {}, fields);
      assert.deepEqual([status, body.error.code], [409, 'plan_change_in_progress']);
      assert.equal(headers.get('retry-after'), '20');
    }
    assert.deepEqual(await shop.get(`/subscriptions/${id}`), before);
    assert.deepEqual(await mandateStates(shop), []);
  });
});

describe('a cycle that the new mandate may have to charge keeps its price', () => {
  const paid = async (id: string) =>
    (await invoices(shop, id)).filter(({ status }: Json) => status === 'paid').map(({ amount }) => amount);

  for (const [when, time] of [
    ['is open', '06:00'],
    ['opens before the QR code expires', '05:45'],
  ] as const) {
    test(`so a fixed amount that differs is refused if it ${when}`, async () => {
      const { id } = await authorized(shop);
      const offer_id = await offerOf(shop, 9_990);
      await advanceTo(addDays(nextMonth(), -3), time);
      assert.deepEqual(
        [
          await refused(id, offer_id, 'pix_recurring.recurring_amount', { recurring_amount: 9_990 }),
          await refused(id, offer_id, 'pix_recurring.min_amount', { min_amount: 5_000 }),
        ],
        [
          'Must be the price of every cycle: cycle 2 is charged 4990 centavos.',
          'Must be at most the lowest price of a cycle: cycle 2 is charged 4990 centavos.',
        ],
      );
      assert.equal((await putPixRecurring(shop, id, { min_amount: 4_990 }, { offer_id })).status, 200);
      await advanceTo(addDays(nextMonth(), -3), '06:05');
      await authorize(shop, id);
      await advance(shop, { days: 35 });
      assert.deepEqual(await paid(id), [4_990, 4_990, 9_990]);
    });
  }

  test('which a fixed amount allows before', async () => {
    const { id } = await authorized(shop);
    await advanceTo(addDays(nextMonth(), -3), '05:29');
    const offer_id = await offerOf(shop, 9_990);
    const terms = { recurring_amount: 9_990 };
    assert.equal((await putPixRecurring(shop, id, terms, { offer_id })).status, 200);
    await authorize(shop, id);
    await advanceTo(nextMonth());
    assert.deepEqual(await paid(id), [4_990, 9_990]);
  });
});
