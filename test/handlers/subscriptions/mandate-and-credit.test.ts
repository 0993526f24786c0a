/** A mandate that is requested shortly before a cycle is opened, which the credit pays in part. */
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { addDays } from '../../../domain/business-days.ts';
import { merchantDay } from '../../../domain/local-time.ts';
import { billingDate } from '../../../domain/subscriptions/billing-dates.ts';
import { advance } from '../../support/clock-calls.ts';
import { sharedService } from '../../support/shared-service.ts';
import { assertRefused, Shop } from '../../support/shop.ts';
import {
  authorize,
  changedToPix,
  mandateStates,
  putPixRecurring,
} from '../../support/subscriptions/pix-recurring-calls.ts';
import { changeNow, offerOf } from '../../support/subscriptions/plan-change-calls.ts';
import { invoices, subscribed } from '../../support/subscriptions/subscription-calls.ts';

const service = await sharedService({ jobs: false });
const PRICE = 4_490;
/** Of a subscription of R$ 49.90 whose price falls on its first day. */
const CREDIT = 500;
/** A Pix is issued so many days before the day of its cycle. */
const LEAD_DAYS = 5;

let shop: Shop;
beforeEach(async () => {
  shop = await Shop.open(service);
});

const opensOn = () => {
  const start = merchantDay(new Date());
  return addDays(billingDate({ start, interval: 'monthly' }, 1), -LEAD_DAYS);
};
const advanceTo = (time: string) => advance(shop, { to: `${opensOn()}T${time}:00-03:00` });

/** A subscription by Pix with a credit. */
async function withCredit(): Promise<string> {
  const { id } = await subscribed(shop);
  await changeNow(shop, id, await offerOf(shop, PRICE));
  const body = { payment_method: 'pix' };
  const { status, text } = await shop.call('PUT', `/subscriptions/${id}/payment-method`, { body });
  assert.equal(status, 200, text);
  return id;
}

test('must allow what the credit leaves of a cycle that opens before the QR code expires', async () => {
  const id = await withCredit();
  await advanceTo('05:45');
  const before = await shop.get(`/subscriptions/${id}`);
  for (const amount of [PRICE, PRICE - CREDIT]) {
    const answer = await putPixRecurring(shop, id, { recurring_amount: amount });
    assertRefused(answer, 'pix_recurring.recurring_amount');
  }
  const answer = await putPixRecurring(shop, id, { min_amount: PRICE });
  assertRefused(answer, 'pix_recurring.min_amount');
  assert.equal(
    answer.body.errors['pix_recurring.min_amount'].join(),
    `Must be at most the lowest price of a cycle: cycle 2 is charged ${PRICE - CREDIT} centavos.`,
  );
  assert.deepEqual(await shop.get(`/subscriptions/${id}`), before);
  await changedToPix(shop, id, { min_amount: PRICE - CREDIT });
  await advanceTo('06:10');
  assert.equal((await authorize(shop, id)).payment_method, 'pix_recurring');
  await advance(shop, { days: LEAD_DAYS });
  const [, cycle] = await invoices(shop, id);
  assert.deepEqual([cycle!.status, cycle!.amount - cycle!.credit_applied], ['paid', PRICE - CREDIT]);
  assert.equal(cycle!.payments.at(-1).payment_method, 'pix_recurring');
});

test('may have the price of the plan if the QR code expires before the cycle opens', async () => {
  const id = await withCredit();
  await advanceTo('05:29');
  await changedToPix(shop, id, { recurring_amount: PRICE });
  assert.equal((await authorize(shop, id)).payment_method, 'pix_recurring');
  await advance(shop, { days: LEAD_DAYS + 1 });
  const [, cycle] = await invoices(shop, id);
  assert.deepEqual([cycle!.status, cycle!.credit_applied], ['paid', 0]);
  assert.deepEqual(await mandateStates(shop), ['authorized']);
});
