/**
 * The charges of a subscription that a buyer started at a page: what its link, its receipts and its pages make of them.
 */
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { customerBody } from '../../support/orders/parties.ts';
import { CheckoutPage } from '../../support/pages/checkout-page.ts';
import { recurringOffer } from '../../support/pages/offer-bodies.ts';
import { sendDueEmails } from '../../support/run-jobs.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { Shop } from '../../support/shop.ts';
import { authorize } from '../../support/subscriptions/pix-recurring-calls.ts';
import {
  changeNow,
  changePlan,
  offerOf,
  paymentsOf,
  script,
} from '../../support/subscriptions/plan-change-calls.ts';
import { subscribed } from '../../support/subscriptions/subscription-calls.ts';

const service = await sharedService({ jobs: false });
let shop: Shop;
beforeEach(async () => {
  shop = await Shop.open(service);
});

const ofLink = (fields: object = {}) =>
  CheckoutPage.ofLink(shop, {
    recurrence_interval: 'monthly',
    payment_methods: ['credit_card'],
    amount: 4_990,
    ...fields,
  });

/** A buyer subscribes. Returns the record that the merchant reads. */
async function subscribeAt(page: CheckoutPage): Promise<Json> {
  const customer = customerBody({ email: 'bia@example.com' });
  const { hash } = await page.subscribed(await page.subscriptionBody({ customer }));
  return shop.get(`/subscriptions/${hash}`);
}

const nextMonth = () => shop.post('/sandbox/clock/advance', { days: 32 });
/** The page of a payment: a redirect has an address. */
async function pageOf(hash: string) {
  const { status, headers } = await fetch(`${service.url}/p/${hash}`, { redirect: 'manual' });
  return [status, headers.get('location')];
}

describe('a subscription of a payment link whose plan was changed', () => {
  for (const effective of ['next_cycle', 'immediate']) {
    test(`keeps its link: its payments, their receipts and their notification_url (${effective})`, async () => {
      const page = await ofLink({
        send_email_receipt: true,
        notification_url: 'https://hooks.loja.invalid/clube',
      });
      const { id } = await subscribeAt(page);
      const offer_id = await offerOf(shop, 9_990);
      assert.equal((await changePlan(shop, id, { offer_id, effective })).status, 200);
      await nextMonth();
      const payments = await paymentsOf(shop, id);
      assert.equal(payments.at(-1).amount, 9_990);
      assert.deepEqual(
        payments.slice(1).map((payment) => [payment.payment_link_id, payment.offer_id]),
        payments.slice(1).map(() => [page.id, offer_id]),
      );
      const ofPage = (await shop.get(`/payments?payment_link_id=${page.id}`)).data;
      assert.equal(ofPage.length, payments.length);
      await sendDueEmails(service.deps);
      const emails = (await shop.get('/sandbox/emails')).data;
      assert.deepEqual(
        emails.map(({ payment_id }: Json) => payment_id).sort(),
        payments.map((payment) => payment.id).sort(),
      );
      const { merchant } = shop.onboarded;
      const latest = payments.at(-1).id;
      const found = service.deps.notificationUrls
        .filter(({ objectType }) => objectType === 'payment')
        .map(async ({ find }) => (await find(service.deps.db, merchant, [latest])).get(latest));
      assert.deepEqual((await Promise.all(found)).filter(Boolean), ['https://hooks.loja.invalid/clube']);
    });
  }

  test('has the page of its link, where the buyer can try again after it has ended', async () => {
    const page = await ofLink();
    const subscription = await subscribeAt(page);
    await changeNow(shop, subscription.id, await offerOf(shop, 9_990));
    const read = await page.subscription(subscription.code);
    assert.equal(new URL(read.checkout_url).pathname, `/l/${page.hash}`);
  });
});

describe('the page of a charge of a subscription', () => {
  for (const [what, open] of [
    ['a payment link', ofLink],
    ['an offer', () => CheckoutPage.ofOffer(shop, recurringOffer({ trial_days: undefined }))],
  ] as const) {
    test(`is the page of the subscription, so that a buyer at ${what} does not subscribe twice`, async () => {
      const page = await open();
      const { id, code, card_id, payment } = await subscribeAt(page);
      await script(shop, card_id, ...Array(3).fill('insufficient_funds'));
      await nextMonth();
      const refused = (await paymentsOf(shop, id)).find(({ status }) => status === 'refused');
      for (const { hash } of [payment, refused]) {
        assert.deepEqual(await pageOf(hash), [303, `/a/${code}`]);
        assert.equal(new URL((await page.payment(hash)).checkout_url).pathname, `/a/${code}`);
      }
      const html = await (await fetch(`${service.url}/a/${code}`)).text();
      assert.doesNotMatch(html, new RegExp(`href="/[ls]/${page.hash}"`));
      await shop.post('/subscriptions/cancel', { id });
      assert.deepEqual(await pageOf(refused.hash), [303, `/a/${code}`]);
    });
  }

  test('leads to the page of the link after the first charge was refused, because nothing is charged', async () => {
    const page = await ofLink();
    const body = await page.subscriptionBody({}, { number: '4000000000009995' });
    const { payment } = await page.subscribed(body);
    assert.equal(new URL(payment.checkout_url).pathname, `/l/${page.hash}`);
    assert.deepEqual(await page.payment(payment.hash), payment);
    assert.deepEqual(await pageOf(payment.hash), [200, null]);
  });

  test('does not exist for a payment method that no page has; the page of the subscription goes on', async () => {
    const page = await ofLink();
    const { id, code } = await subscribeAt(page);
    const body = { payment_method: 'pix_recurring' };
    assert.equal((await shop.call('PUT', `/subscriptions/${id}/payment-method`, { body })).status, 200);
    await authorize(shop, id);
    await nextMonth();
    const latest = (await paymentsOf(shop, id)).at(-1);
    assert.equal(latest.payment_method, 'pix_recurring');
    const { payment, payment_method } = await page.subscription(code);
    assert.deepEqual([payment, payment_method], [null, 'pix_recurring']);
    assert.equal((await page.call('GET', `/payments/${latest.hash}`)).status, 404);
    assert.deepEqual(await pageOf(latest.hash), [404, null]);
    assert.equal((await fetch(`${service.url}/a/${code}`)).status, 200);
  });

  test('does not exist for a subscription that the merchant created', async () => {
    const cycles = [{ start: 1, end: null, amount: 4_990 }];
    const page = await CheckoutPage.ofOffer(shop, recurringOffer({ trial_days: undefined, cycles }));
    const { payment } = await subscribed(shop, { offer_id: page.id, interval: undefined });
    assert.equal((await page.call('GET', `/payments/${payment.hash}`)).status, 404);
    assert.deepEqual(await pageOf(payment.hash), [404, null]);
  });
});
