/** The day of the first charge in the request for a mandate, if the next cycles are not charged. */
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { addDays } from '../../../domain/business-days.ts';
import { merchantDay } from '../../../domain/local-time.ts';
import { billingDate } from '../../../domain/subscriptions/billing-dates.ts';
import { mandateOf } from '../../support/payments/mandates.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { created, Shop } from '../../support/shop.ts';
import { month } from '../../support/subscriptions/billing-days.ts';
import {
  authorized,
  changedToPix,
  pixBody,
  requested,
} from '../../support/subscriptions/pix-recurring-calls.ts';
import { changeNow, offerOf } from '../../support/subscriptions/plan-change-calls.ts';
import { newOffer, subscribed } from '../../support/subscriptions/subscription-calls.ts';

const service = await sharedService({ jobs: false });
let shop: Shop;
beforeEach(async () => {
  shop = await Shop.open(service);
});

const today = () => merchantDay(new Date());
const firstChargeOn = async ({ payment }: Json) => (await mandateOf(shop, payment.id)).firstChargeOn;

/** A monthly offer of R$ 49.90 with one free cycle. */
const offerWithFree = (cycle: number) =>
  newOffer(shop, {
    cycles: [
      ...(cycle === 1 ? [] : [{ start: 1, end: cycle - 1, amount: 4_990 }]),
      { start: cycle, end: cycle, amount: 0 },
      { start: cycle + 1, end: null, amount: 4_990 },
    ],
  });

describe('the first charge by a mandate', () => {
  test('of a new subscription is that of the second cycle if the first one is free', async () => {
    const body = await pixBody(shop, { offer_id: await offerWithFree(1) });
    const { amount: _, ...payment } = body.payment;
    const subscription = await created(shop.post('/subscriptions', { ...body, payment }));
    assert.equal(subscription.payment.amount, 0);
    assert.equal(await firstChargeOn(subscription), month(1));
  });

  test('of a new subscription is that of the third cycle if the second one is free', async () => {
    const subscription = await requested(shop, { offer_id: await offerWithFree(2) });
    assert.equal(subscription.payment.amount, 4_990);
    assert.equal(await firstChargeOn(subscription), month(2));
  });

  test('of a change of the payment method is not that of a free cycle', async () => {
    const { id } = await subscribed(shop, { offer_id: await offerWithFree(2) });
    assert.equal(await firstChargeOn(await changedToPix(shop, id)), month(2));
  });

  test('of a change of the payment method is not that of a cycle that the credit pays', async () => {
    const { id } = await subscribed(shop);
    assert.equal((await changeNow(shop, id, await offerOf(shop, 1_490))).delta, -3_500);
    assert.equal(await firstChargeOn(await changedToPix(shop, id)), month(3));
  });

  test('of a change with a new plan is not that of a free cycle of that plan', async () => {
    const { id } = await subscribed(shop);
    const offer_id = await offerWithFree(2);
    assert.equal(await firstChargeOn(await changedToPix(shop, id, {}, { offer_id })), month(2));
  });

  test('of a change from a weekly to a monthly plan keeps the day of the month of the free cycle', async () => {
    const { id } = await authorized(shop, { interval: 'weekly' });
    const offer_id = await offerWithFree(2);
    const start = addDays(today(), 7);
    const changed = await changedToPix(shop, id, {}, { offer_id });
    assert.equal(await firstChargeOn(changed), billingDate({ start, interval: 'monthly' }, 1));
  });
});
