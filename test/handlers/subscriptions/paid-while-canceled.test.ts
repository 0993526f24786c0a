/** Customers who pay the charge of a cycle just before the acquirer cancels it. */
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { addDays } from '../../../domain/business-days.ts';
import { merchantDay, startOfMerchantDay } from '../../../domain/local-time.ts';
import { billingDate } from '../../../domain/subscriptions/billing-dates.ts';
import { expirePayments } from '../../../jobs/payments/expire-payments.ts';
import { assertAcquirerAgrees } from '../../support/acquirer-records.ts';
import { advance } from '../../support/clock-calls.ts';
import { issuedBody } from '../../support/issued-charges.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { created, Shop } from '../../support/shop.ts';
import { simulated } from '../../support/simulate-calls.ts';
import { invoices, story, subscribe } from '../../support/subscription-calls.ts';

const service = await sharedService({ jobs: false });
let shop: Shop;
beforeEach(async () => {
  shop = await Shop.open(service);
});

const advanceTo = (day: string) => advance(shop, { to: `${day}T06:00:00-03:00` });
const read = (id: string): Promise<Json> => shop.get(`/subscriptions/${id}`);
const inMonths = (count: number) =>
  billingDate({ start: merchantDay(new Date()), interval: 'monthly' }, count);

/** A subscription that is canceled while the charge of its second cycle waits for the customer, who then pays it. */
async function paidWhileCanceled(): Promise<{ readonly id: string; readonly seen: number }> {
  const { id, payment } = await created(subscribe(shop, issuedBody({ payment_method: 'pix' })));
  await simulated(shop, payment.id, 'paid');
  await advanceTo(addDays(inMonths(1), -5));
  assert.equal((await shop.post('/subscriptions/cancel', { id })).status, 200);
  const seen = (await story(shop)).length;
  await simulated(shop, (await read(id)).payment.id, 'paid');
  await expirePayments(service.deps);
  return { id, seen };
}

describe('a charge that is paid after its subscription was canceled', () => {
  test('pays its cycle, and access lasts to the end of that cycle', async () => {
    const { id, seen } = await paidWhileCanceled();
    const { status, successful_charges, ends_at } = await read(id);
    const end = new Date(startOfMerchantDay(inMonths(2)).getTime() + 6 * 3_600_000);
    assert.deepEqual([status, successful_charges, Date.parse(ends_at)], ['canceled', 2, end.getTime()]);
    assert.deepEqual(
      (await invoices(shop, id)).map((invoice) => invoice.status),
      ['paid', 'paid'],
    );
    assert.deepEqual((await story(shop)).slice(seen), [
      'payment.updated paid',
      'subscription.charge_succeeded canceled',
      'subscription.updated canceled',
    ]);
    await assertAcquirerAgrees(service, shop.account);
  });

  test('is not charged again after a reactivation', async () => {
    const { id } = await paidWhileCanceled();
    const { customer_id } = await read(id);
    assert.equal((await shop.post(`/subscriptions/${id}/reactivate`)).status, 200);
    const credit_card = { id: await shop.card(customer_id) };
    const body = { payment_method: 'credit_card', credit_card };
    assert.equal((await shop.call('PUT', `/subscriptions/${id}/payment-method`, { body })).status, 200);
    await advanceTo(inMonths(1));
    const renewed = await read(id);
    assert.deepEqual(
      [renewed.status, renewed.successful_charges, renewed.next_charge_at],
      ['active', 2, inMonths(2)],
    );
    await assertAcquirerAgrees(service, shop.account);
  });
});
