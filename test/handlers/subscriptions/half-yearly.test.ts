/** A subscription that is charged twice a year. */
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { addDays } from '../../../domain/business-days.ts';
import { merchantDay } from '../../../domain/local-time.ts';
import { billingDate } from '../../../domain/subscriptions/billing-dates.ts';
import { advance } from '../../support/clock-calls.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { Shop } from '../../support/shop.ts';
import { authorized } from '../../support/subscriptions/pix-recurring-calls.ts';
import { changeNow, offerOf } from '../../support/subscriptions/plan-change-calls.ts';
import { invoices, subscribed } from '../../support/subscriptions/subscription-calls.ts';

const service = await sharedService({ jobs: false });
let shop: Shop;
beforeEach(async () => {
  shop = await Shop.open(service);
});

const advanceTo = (day: string, time = '06:00') => advance(shop, { to: `${day}T${time}:00-03:00` });
const read = (id: string): Promise<Json> => shop.get(`/subscriptions/${id}`);
const today = () => merchantDay(new Date());
const months = (count: number, start = today()) => billingDate({ start, interval: 'monthly' }, count);

describe('a half-yearly subscription', () => {
  test('is charged every 6 months by card, on its day', async () => {
    const { id, interval, next_charge_at } = await subscribed(shop, { interval: 'half-yearly' });
    assert.deepEqual([interval, next_charge_at], ['half-yearly', months(6)]);
    await advanceTo(months(6), '05:59');
    assert.equal((await read(id)).successful_charges, 1);
    await advanceTo(months(6));
    const { successful_charges, next_charge_at: next } = await read(id);
    assert.deepEqual([successful_charges, next], [2, months(12)]);
    await advanceTo(months(12));
    const periods = (await invoices(shop, id)).map(({ status, period_start, period_end }) => [
      status,
      period_start,
      period_end,
    ]);
    assert.deepEqual(periods, [
      ['paid', today(), months(6)],
      ['paid', months(6), months(12)],
      ['paid', months(12), months(18)],
    ]);
  });

  test('begins on the last day of August, and is charged on the last of February and on 31 August', async () => {
    const year = Number(today().slice(0, 4)) + 1;
    const start_at = `${year}-08-31`;
    const { id } = await subscribed(shop, { interval: 'half-yearly', start_at });
    await advanceTo(start_at);
    const february = months(6, start_at);
    assert.match(february, /-02-2[89]$/);
    assert.equal((await read(id)).next_charge_at, february);
    await advanceTo(february);
    const { successful_charges, next_charge_at } = await read(id);
    assert.deepEqual([successful_charges, next_charge_at], [2, `${year + 1}-08-31`]);
  });

  test('is charged by the mandate of Pix recurring', async () => {
    const cycles = [{ start: 1, end: null, amount: 4_990 }];
    const offer_id = await offerOf(shop, 4_990, { interval: 'half-yearly', cycles });
    const terms = { recurring_amount: 4_990 };
    const { id } = await authorized(shop, { interval: 'half-yearly', offer_id }, { terms });
    await advanceTo(addDays(months(6), -3));
    assert.equal((await read(id)).payment.status, 'scheduled');
    await advanceTo(months(6));
    const { status, successful_charges, next_charge_at } = await read(id);
    assert.deepEqual([status, successful_charges, next_charge_at], ['payment_approved', 2, months(12)]);
  });

  test('follows a monthly plan whose cycle is not over', async () => {
    const { id } = await subscribed(shop);
    const { delta } = await changeNow(shop, id, await offerOf(shop, 59_880, { interval: 'half-yearly' }));
    // 598.80 in 6 months are 99.80 a month.
    assert.equal(delta, 9_980 - 4_990);
    await advanceTo(months(1));
    const { interval, next_charge_at, payment } = await read(id);
    assert.deepEqual([interval, next_charge_at, payment.amount], ['half-yearly', months(7), 59_880]);
  });
});
