import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { addDays, daysBetween } from '../../../domain/business-days.ts';
import { advance, advanceBy, MINUTE_MS } from '../../support/clock-calls.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { assertRefused, created, Shop, UNKNOWN_ID } from '../../support/shop.ts';
import {
  changeNow,
  changePlan,
  figures,
  offerOf,
  previewPlan,
} from '../../support/subscriptions/plan-change-calls.ts';
import {
  story,
  subscribe,
  subscribed,
  subscriptionBody,
} from '../../support/subscriptions/subscription-calls.ts';
import proration from '../../vectors/proration.json' with { type: 'json' };

const service = await sharedService({ jobs: false });
let shop: Shop;
beforeEach(async () => {
  shop = await Shop.open(service);
});

const preview = (id: string, offer_id: string, effective = 'immediate'): Promise<Json> =>
  figures(previewPlan(shop, id, { offer_id, effective }));

async function conflicts(id: string, body: object, code: string): Promise<void> {
  const { status, body: answer } = await changePlan(shop, id, body);
  assert.deepEqual([status, answer.error?.code], [409, code]);
}

describe('a preview', () => {
  test('changes nothing, and has the figures of the change', async () => {
    const { id } = await subscribed(shop);
    const offer_id = await offerOf(shop, 9_990);
    const before = [await shop.get(`/subscriptions/${id}`), await story(shop)];
    for (const effective of ['next_cycle', 'immediate']) {
      const { preview_id, expires_at, ...previewed } = await preview(id, offer_id, effective);
      assert.deepEqual([await shop.get(`/subscriptions/${id}`), await story(shop)], before);
      if (effective === 'next_cycle') continue;
      assert.ok(Date.parse(expires_at) > Date.now());
      const { proration_payment_id, ...changed } = await changeNow(shop, id, offer_id, { preview_id });
      assert.notEqual(proration_payment_id, null);
      assert.deepEqual({ ...changed, proration_payment_id: null }, previewed);
    }
  });

  test('is valid for 15 minutes of the clock of the merchant', async () => {
    const { id } = await subscribed(shop);
    const offer_id = await offerOf(shop, 7_990);
    const { preview_id } = await preview(id, offer_id, 'next_cycle');
    await advanceBy(shop, 14 * MINUTE_MS);
    assert.equal((await changePlan(shop, id, { offer_id, preview_id })).status, 200);
    await advanceBy(shop, 2 * MINUTE_MS);
    await conflicts(id, { offer_id, preview_id }, 'preview_not_valid');
  });

  test('cannot be used for another offer or another time', async () => {
    const { id } = await subscribed(shop);
    const [offer_id, other] = [await offerOf(shop, 7_990), await offerOf(shop, 7_990)];
    const { preview_id } = await preview(id, offer_id, 'next_cycle');
    await conflicts(id, { offer_id: other, preview_id }, 'preview_not_valid');
    await conflicts(id, { offer_id, preview_id, effective: 'immediate' }, 'preview_not_valid');
  });

  test('cannot be used after the interval or a later price of the offer has changed', async () => {
    const { id } = await subscribed(shop);
    const cycles = [
      { start: 1, end: 2, amount: 7_990 },
      { start: 3, end: null, amount: 9_990 },
    ];
    for (const body of [{ interval: 'quarterly' }, { cycles }]) {
      const offer_id = await offerOf(shop, 7_990);
      const { preview_id } = await preview(id, offer_id, 'next_cycle');
      assert.equal((await shop.call('PUT', `/product-offers/${offer_id}`, { body })).status, 200);
      await conflicts(id, { offer_id, preview_id }, 'preview_not_valid');
    }
  });

  test('cannot be used after the price of the offer has changed', async () => {
    const { id } = await subscribed(shop);
    const offer_id = await offerOf(shop, 7_990);
    const { preview_id } = await preview(id, offer_id);
    const cycles = [{ start: 1, end: null, amount: 8_990 }];
    assert.equal((await shop.call('PUT', `/product-offers/${offer_id}`, { body: { cycles } })).status, 200);
    await conflicts(id, { offer_id, preview_id, effective: 'immediate' }, 'preview_not_valid');
    assert.equal((await shop.get(`/payments?subscription_id=${id}`)).data.length, 1);
  });

  test('of another subscription, or that does not exist, is refused', async () => {
    const [{ id }, other] = [await subscribed(shop), await subscribed(shop)];
    const offer_id = await offerOf(shop, 7_990);
    const { preview_id } = await preview(other.id, offer_id, 'next_cycle');
    for (const unknown of [preview_id, UNKNOWN_ID]) {
      assertRefused(await changePlan(shop, id, { offer_id, preview_id: unknown }), 'preview_id');
    }
  });
});

const YEAR = new Date().getFullYear() + 1;
/** First charges that begin a cycle of so many days. The one of 2 days is charged on the first of each month later. */
const STARTS: Readonly<Record<number, { start_at: string; best_charge_day?: number }>> = {
  31: { start_at: `${YEAR}-01-10` },
  30: { start_at: `${YEAR}-04-10` },
  2: { start_at: `${YEAR}-01-30`, best_charge_day: 1 },
};

describe('the difference for the rest of a cycle', () => {
  for (const { old_amount, new_amount, days_left, days_in_cycle, delta } of proration.vectors) {
    test(`from ${old_amount} to ${new_amount} with ${days_left} of ${days_in_cycle} days left is ${delta}`, async () => {
      const start = STARTS[days_in_cycle]!;
      const { payment: means, ...body } = await subscriptionBody(shop, start);
      const { id } = await created(subscribe(shop, { ...body, payment: { ...means, amount: old_amount } }));
      await advance(shop, { to: `${start.start_at}T06:00:00-03:00` });
      const { next_charge_at } = await shop.get(`/subscriptions/${id}`);
      assert.equal(daysBetween(start.start_at, next_charge_at), days_in_cycle);
      const day = addDays(next_charge_at, -days_left);
      if (day > start.start_at) await advance(shop, { to: `${day}T05:00:00-03:00` });
      const offer_id = await offerOf(shop, new_amount);
      const previewed = await preview(id, offer_id);
      const changed = await changeNow(shop, id, offer_id, { preview_id: previewed.preview_id });
      assert.deepEqual([previewed.delta, changed.delta], [delta, delta]);
      const { credit_balance, payment } = await shop.get(`/subscriptions/${id}`);
      assert.equal(credit_balance, Math.max(0, -delta));
      assert.equal(payment.amount, delta > 0 ? delta : old_amount);
      assert.equal(changed.next_charge_at, next_charge_at);
    });
  }
});
