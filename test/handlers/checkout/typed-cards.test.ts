/**
 * A card that a buyer types becomes a card of the customer by an approval, so that pages do not collect stolen cards.
 */
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { CheckoutPage } from '../../support/pages/checkout-page.ts';
import { reconcile } from '../../support/payments/acquirer-calls.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { Shop } from '../../support/shop.ts';
import { until } from '../../support/until.ts';

const service = await sharedService({ jobs: false });
const NO_FUNDS = '4000000000009995';
const APPROVED_LATER = '4000000000001133';

let shop: Shop;
let page: CheckoutPage;
beforeEach(async () => {
  shop = await Shop.open(service);
  page = await CheckoutPage.ofLink(shop);
});

interface StoredCard {
  readonly id: string;
  readonly has_number: boolean;
  readonly token: string;
  readonly requests: number;
}

const storedCards = () =>
  service.rows<StoredCard>(
    `select id, number_sealed is not null or fingerprint is not null as has_number, network_token_status as token,
            (network_token_reference is not null)::integer as requests
       from cards where merchant_id = :account`,
    { account: shop.account },
  );

async function payBy(number?: string): Promise<Json> {
  await page.paid(await page.cardBody({}, number === undefined ? {} : { number }));
  return (await shop.get('/payments')).data[0];
}

const cardsOf = async ({ customer_id }: Json): Promise<Json[]> =>
  (await shop.get(`/customers/${customer_id}/cards`)).data;

/** The answer to an order of the merchant with the card of a payment. */
const orderWith = (payment: Json, cardId: string) =>
  shop.post('/charges/orders', {
    code: crypto.randomUUID(),
    mcc: '5734',
    customer: { id: payment.customer_id },
    payment: { payment_method: 'credit_card', amount: 1_000, credit_card: { id: cardId } },
  });

describe('a card that a buyer typed', () => {
  test('is a card of the customer after an approval, and gets a network token', async () => {
    const payment = await payBy();
    const [card] = await cardsOf(payment);
    assert.deepEqual([card!.last_4, card!.network_token.status], ['4242', 'requested']);
    assert.equal((await orderWith(payment, card!.id)).status, 201);
  });

  test('is erased after a refusal, and no network token is requested', async () => {
    const payment = await payBy(NO_FUNDS);
    assert.equal(payment.status, 'refused');
    assert.deepEqual([payment.credit_card.last_4, await cardsOf(payment)], ['9995', []]);
    const [card] = await storedCards();
    assert.deepEqual([card!.has_number, card!.token, card!.requests], [false, 'none', 0]);
    assert.equal((await shop.call('GET', `/cards/${card!.id}`)).status, 404);
    assert.equal((await orderWith(payment, card!.id)).status, 422);
  });

  test('cannot be seen or used while the outcome is unknown, and can after a late approval', async () => {
    const payment = await payBy(APPROVED_LATER);
    const [card] = await storedCards();
    assert.deepEqual([payment.status, card!.has_number, card!.requests], ['processing', true, 0]);
    assert.deepEqual(await cardsOf(payment), []);
    assert.equal((await shop.call('GET', `/cards/${card!.id}`)).status, 404);
    assert.equal((await shop.call('DELETE', `/cards/${card!.id}`)).status, 404);
    assert.equal((await shop.post(`/cards/${card!.id}/network-token`)).status, 404);
    assert.equal((await orderWith(payment, card!.id)).status, 422);
    await until('the acquirer has approved', async () => {
      await shop.acquirerWorks(11_000);
      await reconcile(service, 20_000);
      return (await shop.payment(payment.id)).status === 'paid';
    });
    assert.deepEqual(
      (await cardsOf(payment)).map(({ id, network_token }) => [id, network_token.status]),
      [[card!.id, 'requested']],
    );
  });
});
