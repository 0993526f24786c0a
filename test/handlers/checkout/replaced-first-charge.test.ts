/** The merchant gives another card while the first charge of a buyer's subscription has no known outcome. */
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { HOUR_MS } from '../../support/clock-calls.ts';
import { CheckoutPage } from '../../support/pages/checkout-page.ts';
import { LinkPlaces } from '../../support/pages/link-places.ts';
import { reconcile, withLostAnswers } from '../../support/payments/acquirer-calls.ts';
import { runBillingSteps } from '../../support/run-jobs.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { Shop } from '../../support/shop.ts';
import { GOOD, invoices, NO_FUNDS, STOLEN } from '../../support/subscriptions/subscription-calls.ts';

const service = await sharedService({ jobs: false });
let shop: Shop;
let page: CheckoutPage;
beforeEach(async () => {
  service.setAhead(0);
  shop = await Shop.open(service);
  const terms = { recurrence_interval: 'monthly', payment_methods: ['credit_card'], max_payments: 1 };
  page = await CheckoutPage.ofLink(shop, terms);
});

const read = (code: string): Promise<Json> => shop.get(`/subscriptions/${code}`);
const places = async () => (await LinkPlaces.of(service, shop, page.id)).counts();

/** The buyer subscribes with one card, and the merchant gives another one before the first is decided. */
async function replaced(first: string, second: string): Promise<{ readonly hash: string }> {
  const body = await page.subscriptionBody({}, { number: first });
  const { hash, status } = await withLostAnswers(service, () => page.subscribed(body));
  assert.equal(status, 'payment_pending');
  const { id, customer_id } = await read(hash);
  const card = { id: await shop.card(customer_id, second) };
  const change = { payment_method: 'credit_card', credit_card: card };
  const answer = await shop.call('PUT', `/subscriptions/${id}/payment-method`, { body: change });
  assert.deepEqual([answer.status, answer.body.status], [200, 'payment_pending'], answer.text);
  return { hash };
}

/** What is due is charged, at whatever hour this runs: the steps of a day run from 06:00. */
async function charge(): Promise<void> {
  service.setAhead(6 * HOUR_MS);
  await runBillingSteps(service.deps);
}

/** The first charge is decided, and what is due then is charged. */
async function decide(): Promise<void> {
  await reconcile(service);
  await charge();
}

const charges = async (hash: string): Promise<string[]> => {
  const [invoice] = await invoices(shop, hash);
  return invoice!.payments.map(({ status }: Json) => status);
};

describe('another card for a subscription of a buyer whose first charge has no outcome yet', () => {
  for (const refused of [NO_FUNDS, STOLEN]) {
    test(`is charged if the first card, ${refused}, is refused`, async () => {
      const { hash } = await replaced(refused, GOOD);
      await reconcile(service);
      const { status, payment } = await page.subscription(hash);
      assert.deepEqual([status, payment.status], ['payment_pending', 'refused']);
      await charge();
      assert.deepEqual([(await read(hash)).status, await charges(hash)], ['active', ['refused', 'paid']]);
      assert.deepEqual(await places(), { paid: 1, underWay: 0, places: { counted: 1 } });
    });
  }

  test('is not charged if the first card is approved', async () => {
    const { hash } = await replaced(GOOD, GOOD);
    await decide();
    assert.deepEqual([(await read(hash)).status, await charges(hash)], ['active', ['paid']]);
    assert.deepEqual(await places(), { paid: 1, underWay: 0, places: { counted: 1 } });
  });

  test('ends it if the other card is refused too, and gives the place back', async () => {
    const { hash } = await replaced(NO_FUNDS, NO_FUNDS);
    await decide();
    assert.deepEqual([(await read(hash)).status, await charges(hash)], ['ended', ['refused', 'refused']]);
    assert.equal((await places()).underWay, 0);
    assert.equal((await page.subscribed(await page.subscriptionBody())).status, 'active');
  });
});
