/** Rows are locked in one order, so that workers and requests do not wait for each other in a circle. */
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { addDays } from '../../../domain/business-days.ts';
import { merchantDay } from '../../../domain/local-time.ts';
import { billingDate } from '../../../domain/subscriptions/billing-dates.ts';
import { advance, MINUTE_MS } from '../../support/clock-calls.ts';
import { isRowLocked, lockPaymentRow, lockRow, untilBlocked } from '../../support/payments/payment-lock.ts';
import { runBillingSteps } from '../../support/run-jobs.ts';
import { sharedService } from '../../support/shared-service.ts';
import { Shop } from '../../support/shop.ts';
import { authorized, endMandate, mandateStates } from '../../support/subscriptions/pix-recurring-calls.ts';

const service = await sharedService({ jobs: false });
let shop: Shop;
beforeEach(async () => {
  shop = await Shop.open(service);
});

describe('rows are locked in one order: a payment, its subscription, its mandate', () => {
  const due = () => billingDate({ start: merchantDay(new Date()), interval: 'monthly' }, 1);
  const advanceTo = (day: string, time: string) => advance(shop, { to: `${day}T${time}:00-03:00` });

  test('a worker that sends a charge waits for the charge before it locks the subscription', async () => {
    const { id } = await authorized(shop);
    await advanceTo(addDays(due(), -2), '05:59');
    const { payment } = await shop.get(`/subscriptions/${id}`);
    assert.equal(payment.status, 'scheduled');
    await using held = await lockPaymentRow(service, payment.id);
    service.setAhead(2 * MINUTE_MS);
    const working = runBillingSteps(service.deps);
    await untilBlocked(service);
    assert.equal(await isRowLocked(service, 'subscriptions', id), false);
    await held.release();
    assert.equal(await working, 1);
    service.setAhead(0);
    assert.equal((await shop.payment(payment.id)).status, 'waiting_payment');
  });

  test('the end of a mandate waits for the subscription before it locks the mandate', async () => {
    const { id } = await authorized(shop);
    const [mandate] = await service.rows<{ id: string }>(
      'select id from mandates where merchant_id = :account and subscription_id = :id',
      { account: shop.account, id },
    );
    await using held = await lockRow(service, 'subscriptions', id);
    const ending = endMandate(shop, id);
    await untilBlocked(service);
    assert.equal(await isRowLocked(service, 'mandates', mandate!.id), false);
    await held.release();
    await ending;
    assert.deepEqual(await mandateStates(shop), ['canceled']);
  });
});
