/** A plan that is changed after the next cycle was paid, and before its billing date. */
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { addDays, daysBetween } from '../../../domain/business-days.ts';
import { advance } from '../../support/clock-calls.ts';
import { sharedService } from '../../support/shared-service.ts';
import { created, Shop } from '../../support/shop.ts';
import { month } from '../../support/subscriptions/billing-days.ts';
import { issuedBody } from '../../support/subscriptions/issued-charges.ts';
import { changeNow, figures, offerOf, previewPlan } from '../../support/subscriptions/plan-change-calls.ts';
import { subscribe } from '../../support/subscriptions/subscription-calls.ts';

const service = await sharedService({ jobs: false });
let shop: Shop;
beforeEach(async () => {
  shop = await Shop.open(service);
});

test('a downgrade credits all days until the next charge if the boleto was paid early', async () => {
  const { id, payment } = await created(
    subscribe(shop, issuedBody({ amount: 9_990, payment_method: 'bank_slip' })),
  );
  await shop.simulate(payment.id, 'paid');
  const today = addDays(month(1), -5);
  await advance(shop, { to: `${today}T06:00:00-03:00` });
  await shop.simulate((await shop.get(`/subscriptions/${id}`)).payment.id, 'paid');
  const offer_id = await offerOf(shop, 4_990);
  const {
    preview_id,
    expires_at: _,
    ...previewed
  } = await figures(previewPlan(shop, id, { offer_id, effective: 'immediate' }));
  assert.equal(previewed.next_charge_at, month(2));
  const credit = Math.round((5_000 * daysBetween(today, month(2))) / daysBetween(month(1), month(2)));
  assert.equal(previewed.delta, -credit);
  assert.deepEqual(await changeNow(shop, id, offer_id, { preview_id }), previewed);
  assert.equal((await shop.get(`/subscriptions/${id}`)).credit_balance, credit);
});
