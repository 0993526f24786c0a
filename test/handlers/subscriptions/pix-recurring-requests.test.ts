import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { sharedService } from '../../support/shared-service.ts';
import { assertRefused, created, Shop } from '../../support/shop.ts';
import { authorize, requested } from '../../support/subscriptions/pix-recurring-calls.ts';
import { newOffer, subscribe } from '../../support/subscriptions/subscription-calls.ts';

const service = await sharedService({ jobs: false });
let shop: Shop;
beforeEach(async () => {
  shop = await Shop.open(service);
});

describe('the request for a Pix recurring subscription', () => {
  test('is the same at /charges/subscriptions', async () => {
    const customer = { id: await shop.customer() };
    const payment = { amount: 4_990, payment_method: 'pix_recurring' };
    const body = { mcc: '5734', interval: 'weekly', customer, payment };
    const subscription = await created(subscribe(shop, body));
    assert.deepEqual(
      [subscription.status, subscription.payment.status],
      ['payment_pending', 'waiting_payment'],
    );
    assert.equal((await authorize(shop, subscription.code)).status, 'payment_approved');
  });

  test('copies the prices of an offer, whose interval it must name', async () => {
    const offer_id = await newOffer(shop, { interval: 'quarterly' });
    const payment = { payment_method: 'pix_recurring' };
    const subscription = await requested(shop, { offer_id, interval: 'quarterly', payment });
    assert.deepEqual([subscription.offer_id, subscription.payment.amount], [offer_id, 2_990]);
  });

  test('is refused for amounts that the mandate does not allow', async () => {
    const refusals: [object, object, string][] = [
      [{ recurring_amount: 4_990, min_amount: 100 }, {}, 'payment.pix_recurring.min_amount'],
      [{ recurring_amount: 5_000 }, {}, 'payment.pix_recurring.recurring_amount'],
      [{ min_amount: 5_000 }, {}, 'payment.pix_recurring.min_amount'],
      [{ recurring_statement: 'x'.repeat(36) }, {}, 'payment.pix_recurring.recurring_statement'],
      [{}, { interval: 'quarterly' }, 'interval'],
      [{ recurring_amount: 4_990 }, { next_charge_amount: 100 }, 'next_charge_amount'],
    ];
    for (const [pix_recurring, fields, path] of refusals) {
      const customer = { id: await shop.customer() };
      const payment = { amount: 4_990, payment_method: 'pix_recurring', pix_recurring };
      const body = { mcc: '5734', interval: 'monthly', customer, payment, ...fields };
      assertRefused(await subscribe(shop, body), path);
    }
  });

  test('needs a code, an interval and this method at /subscriptions', async () => {
    const { body } = await shop.post('/subscriptions', {
      mcc: '5734',
      customer: { id: await shop.customer() },
      payment: { payment_method: 'credit_card' },
    });
    assert.deepEqual(Object.keys(body.errors).sort(), ['code', 'interval', 'payment.payment_method']);
  });
});
