/** Charges by Pix recurring whose due date passes while the merchant may not charge. */
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { addDays } from '../../../domain/business-days.ts';
import { merchantDay } from '../../../domain/local-time.ts';
import { billingDate } from '../../../domain/subscriptions/billing-dates.ts';
import { advance, advanceBy, MINUTE_MS } from '../../support/clock-calls.ts';
import { assertAcquirerAgrees } from '../../support/payments/acquirer-records.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { Shop } from '../../support/shop.ts';
import { authorized, scriptCharges } from '../../support/subscriptions/pix-recurring-calls.ts';
import { invoices, story } from '../../support/subscriptions/subscription-calls.ts';

const service = await sharedService({ jobs: false });
let shop: Shop;
beforeEach(async () => {
  shop = await Shop.open(service);
});

const advanceTo = (day: string) => advance(shop, { to: `${day}T06:00:00-03:00` });
const nextMonth = () => billingDate({ start: merchantDay(new Date()), interval: 'monthly' }, 1);

/** The charges of the second cycle. */
async function charges(id: string) {
  const [, invoice] = await invoices(shop, id);
  return invoice!.payments.map(({ status, billing_date }: Json) => [status, billing_date]);
}

async function approveAgain(): Promise<void> {
  await service.rows("update merchants set status = 'approved' where merchant_id = :account", {
    account: shop.account,
  });
}

describe('a charge by Pix recurring that is not sent before its due date', () => {
  test('is canceled, and the cycle is charged 3 days later', async () => {
    const { id } = await authorized(shop);
    const due = nextMonth();
    await advanceTo(addDays(due, -3));
    await shop.suspend();
    await advanceTo(addDays(due, 5));
    assert.deepEqual(await charges(id), [['scheduled', due]]);
    await approveAgain();
    const seen = (await story(shop)).length;
    await advanceBy(shop, MINUTE_MS);
    assert.deepEqual(await charges(id), [
      ['canceled', due],
      ['scheduled', addDays(due, 8)],
    ]);
    assert.deepEqual((await story(shop)).slice(seen), ['payment.canceled canceled']);
    await advanceTo(addDays(due, 8));
    assert.deepEqual((await charges(id)).at(-1), ['paid', addDays(due, 8)]);
    await assertAcquirerAgrees(service, shop.account);
  });

  test('is not made after the 7 days of the retries if it is a retry', async () => {
    const customerId = await shop.customer();
    const { id } = await authorized(shop, {}, { customerId, terms: { retry_policy: true } });
    await scriptCharges(shop, customerId, 'AM02', 'AM02', 'AM02');
    const due = nextMonth();
    await advanceTo(addDays(due, 3));
    await shop.suspend();
    await advanceTo(addDays(due, 9));
    await approveAgain();
    await advanceBy(shop, MINUTE_MS);
    const [, invoice] = await invoices(shop, id);
    assert.deepEqual([invoice!.status, invoice!.payments.length], ['uncollectible', 3]);
    assert.equal((await story(shop)).at(-1), 'subscription.unpaid payment_refused');
  });
});
