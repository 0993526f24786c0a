/**
 * Card payments whose outcome is known late. An outage of the acquirer must not close a page to all buyers, and people
 * who test stolen cards must not gain by it (contract row 13.17).
 */
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { counterIdOf } from '../../../services/counter-id.ts';
import { CheckoutPage } from '../../support/pages/checkout-page.ts';
import { recurringOffer } from '../../support/pages/offer-bodies.ts';
import { reconcile, withLostAnswers } from '../../support/payments/acquirer-calls.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { Shop } from '../../support/shop.ts';

const service = await sharedService({ jobs: false });
const NO_FUNDS = '4000000000009995';
const ADDRESS = '127.0.0.1';

let shop: Shop;
let page: CheckoutPage;
beforeEach(async () => {
  service.setAhead(0);
  shop = await Shop.open(service);
  page = await CheckoutPage.ofLink(shop);
});

/** The tries that are counted for the buyer's address and the page. */
async function counted(of: CheckoutPage = page): Promise<number[]> {
  const ids = [counterIdOf(service.deps, 'address', ADDRESS), counterIdOf(service.deps, 'page', of.id)];
  const rows = await service.rows<{ id: string; tries: number }>(
    `select counter_id as id, cast(sum(tries) as integer) as tries from checkout_tries
      where merchant_id = :account group by counter_id`,
    { account: shop.account },
  );
  return ids.map((id) => rows.find((row) => row.id === id)?.tries ?? 0);
}

/** Pays while the answers of the acquirer are lost. */
const paidInOutage = async (number?: string): Promise<Json> => {
  const body = await page.cardBody({}, number === undefined ? {} : { number });
  const payment = await withLostAnswers(service, () => page.paid(body));
  assert.equal(payment.status, 'processing');
  return payment;
};

const statusOf = async ({ hash }: Json) => (await page.payment(hash)).status;

describe('a card payment whose outcome is not known', () => {
  test('counts for the address, and not for the page, also when it is paid later', async () => {
    const payment = await paidInOutage();
    assert.deepEqual(await counted(), [1, 0]);
    await reconcile(service);
    assert.equal(await statusOf(payment), 'paid');
    assert.deepEqual(await counted(), [1, 0]);
  });

  test('counts for the page once it is refused', async () => {
    const payment = await paidInOutage(NO_FUNDS);
    assert.deepEqual(await counted(), [1, 0]);
    await reconcile(service);
    assert.equal(await statusOf(payment), 'refused');
    assert.deepEqual(await counted(), [1, 1]);
  });

  test('does not count for the page if it was approved, and its void has no outcome at first', async () => {
    page = await CheckoutPage.ofLink(shop, { card_capture: false });
    const payment = await page.paid(await page.cardBody());
    const [{ id }] = (await shop.get(`/payments?payment_link_id=${page.id}`)).data;
    await withLostAnswers(service, () => shop.cancel(id));
    assert.equal((await shop.payment(id)).status, 'processing');
    await reconcile(service);
    assert.equal(await statusOf(payment), 'canceled');
    assert.deepEqual((await counted()).slice(1), [0]);
  });

  test('does not count for the page if the acquirer has never received it: it says nothing about the card', async () => {
    const outage = service.intercept(() => ({
      authorize: async () => ({ kind: 'unknown', cause: 'time_out' }),
    }));
    const payment = await page.paid(await page.cardBody());
    outage.undo();
    await reconcile(service);
    assert.equal(await statusOf(payment), 'refused');
    assert.deepEqual(await counted(), [1, 0]);
  });
});

describe('a card that has paid before', () => {
  test('counts for the page when it is refused', async () => {
    const body = await page.cardBody();
    await page.paid(body);
    const [{ customer_id }] = (await shop.get('/payments')).data;
    const outcomes = [{ operation: 'authorize', outcome: 'insufficient_funds' }];
    await shop.post('/sandbox/scripts', { customer_id, outcomes });
    const refused = await page.paid({ ...(await page.cardBody()), customer: body.customer });
    assert.equal(refused.status, 'refused');
    assert.deepEqual(await counted(), [1, 1]);
  });
});

describe('of the charges of a subscription', () => {
  for (const [what, open] of [
    [
      'a payment link',
      () => CheckoutPage.ofLink(shop, { recurrence_interval: 'monthly', payment_methods: ['credit_card'] }),
    ],
    ['an offer', () => CheckoutPage.ofOffer(shop, recurringOffer({ trial_days: undefined }))],
  ] as const) {
    test(`at ${what}, the first counts, also if it is refused late`, async () => {
      const of = await open();
      const number = NO_FUNDS;
      await of.subscribed(await of.subscriptionBody({}, { number }));
      assert.deepEqual(await counted(of), [1, 1]);
      const body = await of.subscriptionBody({}, { number });
      await withLostAnswers(service, () => of.subscribed(body));
      assert.deepEqual(await counted(of), [2, 1]);
      await reconcile(service);
      assert.deepEqual(await counted(of), [2, 2]);
    });

    test(`at ${what}, later ones do not count: no buyer types their card`, async () => {
      const of = await open();
      const { hash } = await of.subscribed(await of.subscriptionBody());
      const { customer_id } = await shop.get(`/subscriptions/${hash}`);
      const outcomes = Array(2).fill({ operation: 'authorize', outcome: 'insufficient_funds' });
      await shop.post('/sandbox/scripts', { customer_id, outcomes });
      await shop.post('/sandbox/clock/advance', { days: 34 });
      const payments = (await shop.get('/payments')).data;
      assert.ok(payments.some(({ status }: Json) => status === 'refused'));
      assert.deepEqual(await counted(of), [0, 0]);
    });
  }
});
