/**
 * A Pix recurring subscription whose first charge is due on a later day: the payer authorizes the mandate without
 * paying.
 */
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { addDays } from '../../../domain/business-days.ts';
import { merchantDay } from '../../../domain/local-time.ts';
import { billingDate } from '../../../domain/subscriptions/billing-dates.ts';
import { advance, advanceBy, MINUTE_MS } from '../../support/clock-calls.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { created, Shop } from '../../support/shop.ts';
import { authorize, pixBody } from '../../support/subscriptions/pix-recurring-calls.ts';
import { invoices, story, subscribe } from '../../support/subscriptions/subscription-calls.ts';

const service = await sharedService({ jobs: false });
let shop: Shop;
beforeEach(async () => {
  shop = await Shop.open(service);
});

const advanceTo = (day: string, time = '06:00') => advance(shop, { to: `${day}T${time}:00-03:00` });
const read = (id: string): Promise<Json> => shop.get(`/subscriptions/${id}`);
const today = () => merchantDay(new Date());

async function startingOn(start_at: string, fields: object = {}): Promise<Json> {
  const terms = { recurring_amount: 4_990 };
  return created(subscribe(shop, await pixBody(shop, { start_at, ...fields }, { terms })));
}

describe('a Pix recurring subscription that starts later', () => {
  test('is charged on its first day by the mandate, and each month after it', async () => {
    const start = addDays(today(), 10);
    const asked = await startingOn(start);
    assert.deepEqual(
      [asked.status, asked.next_charge_at, asked.payment.status, asked.payment.amount],
      ['payment_pending', start, 'scheduled', 0],
    );
    const authorized = await authorize(shop, asked.id);
    assert.deepEqual(
      [authorized.status, authorized.payment.status, authorized.successful_charges],
      ['payment_pending', 'AUTHORIZED', 0],
    );
    assert.match(authorized.payment.pix_recurring.charge_code, /^RN/);
    const before = (await story(shop)).length;
    await advanceTo(addDays(start, -3), '05:59');
    assert.equal((await read(asked.id)).payment.amount, 0);
    await advanceTo(addDays(start, -3));
    const scheduled = (await read(asked.id)).payment;
    assert.deepEqual(
      [scheduled.status, scheduled.amount, scheduled.billing_date],
      ['scheduled', 4_990, start],
    );
    await advanceTo(addDays(start, -2));
    assert.equal((await read(asked.id)).payment.status, 'waiting_payment');
    assert.equal((await story(shop)).length, before);
    await advanceTo(start);
    const paid = await read(asked.id);
    const second = billingDate({ start, interval: 'monthly' }, 1);
    assert.deepEqual(
      [paid.status, paid.successful_charges, paid.next_charge_at],
      ['payment_approved', 1, second],
    );
    assert.deepEqual((await story(shop)).slice(before), [
      'payment.capture_confirmed paid',
      'subscription.charge_succeeded payment_approved',
      'subscription.activated payment_approved',
      'subscription.updated payment_approved',
    ]);
    await advanceTo(second);
    assert.deepEqual(
      (await invoices(shop, asked.id)).map(({ status, billing_date }) => [status, billing_date]),
      [
        ['paid', start],
        ['paid', second],
      ],
    );
  });

  test('tomorrow is charged as soon as it can be', async () => {
    const start = addDays(today(), 1);
    const { id } = await startingOn(start);
    await authorize(shop, id);
    await advanceTo(start, '12:00');
    const { status, successful_charges, payment } = await read(id);
    assert.deepEqual(
      [status, successful_charges, payment.status, payment.billing_date],
      ['payment_approved', 1, 'paid', start],
    );
  });

  test('begins its trial on that day', async () => {
    const start = addDays(today(), 10);
    const { id, next_charge_at } = await startingOn(start, { trial_days: 7 });
    assert.equal(next_charge_at, addDays(start, 7));
    assert.equal((await authorize(shop, id)).status, 'trial_started');
    await advanceTo(addDays(start, 7));
    assert.deepEqual([(await read(id)).status, (await invoices(shop, id)).length], ['payment_approved', 1]);
  });

  test('ends if the QR code is not used', async () => {
    const { id } = await startingOn(addDays(today(), 10));
    await advanceBy(shop, 31 * MINUTE_MS);
    const { status, payment } = await read(id);
    assert.deepEqual([status, payment.status], ['ended', 'expired']);
    await advanceTo(addDays(today(), 20));
    assert.deepEqual(await invoices(shop, id), []);
  });
});
