/** A buyer's request that is repeated after its process died, or that comes while its page is closed. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { findMerchant } from '../../../db/merchants/merchants.ts';
import {
  type CheckoutPaymentInput,
  createCheckoutPayment,
} from '../../../services/checkout/create-checkout-payment.ts';
import { type Deps, returnResult } from '../../../services/deps.ts';
import { VISA } from '../../support/cards/cards.ts';
import { customerBody } from '../../support/orders/parties.ts';
import { CheckoutPage } from '../../support/pages/checkout-page.ts';
import { sharedService } from '../../support/shared-service.ts';
import { Shop } from '../../support/shop.ts';

const service = await sharedService({ jobs: false });

const CLIENT = '203.0.113.1';

/** Pays again and again by the same request, with this card. */
async function repeatable(shop: Shop, page: CheckoutPage, number: string, deps: Deps = service.deps) {
  const { credit_card, customer } = await page.cardBody({ customer: customerBody() }, { number });
  const input: CheckoutPaymentInput = {
    id: randomUUID(),
    isRerun: true,
    hash: page.hash,
    clientAddress: CLIENT,
    method: 'credit_card',
    installments: 1,
    customer,
    encryptedCard: credit_card.encrypted,
  };
  const merchant = (await findMerchant(service.deps.db, shop.onboarded.merchant))!;
  return () => createCheckoutPayment(deps, merchant, input, returnResult);
}

/** The card payments that are counted, the most frequent first: of the address, of each card and of the page. */
async function countedTries(shop: Shop): Promise<number[]> {
  const rows = await service.rows<{ tries: number }>(
    `select cast(sum(tries) as integer) as tries from checkout_tries where merchant_id = :account
      group by counter_id having sum(tries) > 0 order by 1 desc`,
    { account: shop.account },
  );
  return rows.map(({ tries }) => tries);
}

test('runs of one request at the same time count one card payment, and subtract it once', async () => {
  const shop = await Shop.open(service);
  const page = await CheckoutPage.ofLink(shop);
  const refused = await repeatable(shop, page, '4000000000009995');
  assert.equal((await refused()).status, 'refused');
  assert.deepEqual(await countedTries(shop), [1, 1, 1]);
  const run = await repeatable(shop, page, VISA.number);
  const [one, other] = await Promise.all([run(), run()]);
  assert.equal(one.id, other.id);
  // The run that comes second may refuse the payment before the acquirer has it, which says nothing about the card.
  const isPaid = (await shop.payment(one.id)).status === 'paid';
  assert.deepEqual(await countedTries(shop), isPaid ? [1, 1, 1] : [2, 1, 1, 1]);
});

test('runs of one request make one payment, also when it has taken the last place and is paid', async () => {
  const shop = await Shop.open(service);
  const page = await CheckoutPage.ofLink(shop, { max_payments: 1 });
  const run = await repeatable(shop, page, VISA.number);
  const first = await run();
  assert.equal((await page.read()).body.reason, 'exhausted');
  const [second, third] = await Promise.all([run(), run()]);
  assert.deepEqual([second.id, third.id], [first.id, first.id]);
  assert.equal((await shop.get('/payments')).data.length, 1);
});

test('a payment is refused, and charges nothing, if its offer was archived after the page was checked', async () => {
  const shop = await Shop.open(service);
  const page = await CheckoutPage.ofOffer(shop);
  const { db } = service.deps;
  const transaction: typeof db.transaction = async (scope, work) => {
    await shop.post(`/product-offers/${page.id}/archive`);
    return db.transaction(scope, work);
  };
  const pay = await repeatable(shop, page, VISA.number, { ...service.deps, db: { ...db, transaction } });
  await assert.rejects(pay(), { reason: 'wrong_state', message: 'This offer is no longer sold.' });
  assert.deepEqual((await shop.get('/payments')).data, []);
  assert.deepEqual(await countedTries(shop), []);
});
