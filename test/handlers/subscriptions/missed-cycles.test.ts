/** Billing dates that pass while a cycle is unpaid: after the recovery, their cycles are charged one after another. */
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { addDays } from '../../../domain/business-days.ts';
import { merchantDay } from '../../../domain/local-time.ts';
import { advance } from '../../support/clock-calls.ts';
import { mandateOf } from '../../support/payments/mandates.ts';
import { sharedService } from '../../support/shared-service.ts';
import { created, Shop } from '../../support/shop.ts';
import { month } from '../../support/subscriptions/billing-days.ts';
import { issuedBody } from '../../support/subscriptions/issued-charges.ts';
import {
  authorize,
  authorized,
  changedToPix,
  scriptCharges,
} from '../../support/subscriptions/pix-recurring-calls.ts';
import { paymentsOf, script } from '../../support/subscriptions/plan-change-calls.ts';
import { invoices, subscribe, subscribed } from '../../support/subscriptions/subscription-calls.ts';

const service = await sharedService({ jobs: false });
let shop: Shop;
beforeEach(async () => {
  shop = await Shop.open(service);
});

const advanceTo = (day: string) => advance(shop, { to: `${day}T12:00:00-03:00` });

/** On which days the cycles from the first missed one on were paid. */
async function paidDays(id: string, first: number): Promise<(string | null)[]> {
  const later = (await invoices(shop, id)).slice(first - 1);
  return later.map(({ paid_at }) => paid_at && merchantDay(new Date(paid_at)));
}

describe('the cycles that were missed while a subscription was unpaid', () => {
  test('are charged one a day, if it is recovered by a card', async () => {
    const { id, card_id, customer_id } = await subscribed(shop);
    await script(shop, card_id, 'stolen_card');
    await advanceTo(month(4));
    assert.equal((await shop.get(`/subscriptions/${id}`)).status, 'unpaid');
    assert.equal((await invoices(shop, id)).length, 2);
    const credit_card = { id: await shop.card(customer_id, '5555555555554444') };
    const body = { payment_method: 'credit_card', credit_card };
    await shop.call('PUT', `/subscriptions/${id}/payment-method`, { body });
    await advanceTo(addDays(month(4), 10));
    const days = [0, 1, 2, 3].map((count) => addDays(month(4), count));
    assert.deepEqual(await paidDays(id, 2), days);
    assert.equal((await shop.get(`/subscriptions/${id}`)).next_charge_at, month(5));
  });

  test('are charged every 3 days, if it is recovered by a mandate', async () => {
    const { id, customer_id } = await authorized(shop);
    await scriptCharges(shop, customer_id, 'insufficient_funds');
    await advanceTo(month(4));
    const { payment: asking } = await changedToPix(shop, id);
    assert.equal((await mandateOf(shop, asking.id)).firstChargeOn, addDays(month(4), 3));
    await authorize(shop, id);
    await advanceTo(addDays(month(4), 15));
    const days = [3, 6, 9, 12].map((count) => addDays(month(4), count));
    assert.deepEqual(await paidDays(id, 2), days);
    assert.equal((await shop.get(`/subscriptions/${id}`)).next_charge_at, month(5));
  });

  test('are issued when the one before is paid, if it is recovered by a boleto', async () => {
    const { id, payment } = await created(subscribe(shop, issuedBody({ payment_method: 'bank_slip' })));
    await advanceTo(month(3));
    await shop.simulate(payment.id, 'paid');
    const recovered = month(3);
    for (const [day, missed] of [
      [recovered, 2],
      [addDays(recovered, 1), 3],
    ] as const) {
      await advance(shop, { to: `${day}T18:00:00-03:00` });
      const last = (await paymentsOf(shop, id)).at(-1);
      assert.deepEqual([last.status, last.bank_slip.due_at], ['waiting_payment', addDays(day, 3)]);
      assert.equal((await invoices(shop, id)).length, missed);
      await advance(shop, { to: `${addDays(day, 1)}T12:00:00-03:00` });
      await shop.simulate(last.id, 'paid');
    }
  });
});
