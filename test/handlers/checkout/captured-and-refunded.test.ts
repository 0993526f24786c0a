/** What the buyer of a payment sees after a capture of less, and after refunds. */
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { CheckoutPage } from '../../support/pages/checkout-page.ts';
import { recurringOffer } from '../../support/pages/offer-bodies.ts';
import { sharedService } from '../../support/shared-service.ts';
import { Shop } from '../../support/shop.ts';

const service = await sharedService({ jobs: false });
let shop: Shop;
beforeEach(async () => {
  shop = await Shop.open(service);
});

/** The page of a payment or a subscription as its buyer reads it, without its HTML. */
async function shown(path: string, language = 'pt-BR'): Promise<string> {
  const response = await fetch(service.url + path, { headers: { 'accept-language': language } });
  assert.equal(response.status, 200);
  const page = await response.text();
  return page.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
}

/** A card payment at a link that is authorized only, as the buyer and the merchant see it. */
async function authorized(amount: number) {
  const link = await CheckoutPage.ofLink(shop, { amount, card_capture: false });
  const { hash, status } = await link.paid(await link.cardBody());
  assert.equal(status, 'authorized');
  const [{ id }] = (await shop.get('/payments')).data;
  return { link, hash, id };
}

describe('the buyer of a payment', () => {
  test('sees the captured amount, and what was given back of it', async () => {
    const { link, hash, id } = await authorized(15_000);
    const amounts = async () => {
      const { status, amount, refunded_amount } = await link.payment(hash);
      return [status, amount, refunded_amount];
    };
    assert.deepEqual(await amounts(), ['authorized', 15_000, 0]);
    await shop.capture(id, 10_000);
    assert.deepEqual(await amounts(), ['paid', 10_000, 0]);
    const captured = await shown(`/p/${hash}`);
    assert.doesNotMatch(captured, /150,00|devolvid/);
    assert.match(captured, /Valor R\$ 100,00/);

    assert.equal((await shop.refund(id, 3_000)).status, 201);
    assert.deepEqual(await amounts(), ['paid', 10_000, 3_000]);
    const partly = await shown(`/p/${hash}`);
    assert.match(partly, /Pagamento devolvido em parte R\$ 30,00 de R\$ 100,00 devolvidos\./);
    assert.match(partly, /Devolvido R\$ 30,00/);
    const inEnglish = await shown(`/p/${hash}`, 'en');
    assert.match(inEnglish, /Payment partly refunded R\$30\.00 of R\$100\.00 given back\./);
    assert.match(inEnglish, /Given back R\$30\.00/);

    assert.equal((await shop.refund(id)).status, 201);
    assert.deepEqual(await amounts(), ['refunded', 10_000, 10_000]);
    const fully = await shown(`/p/${hash}`);
    assert.match(fully, /Pagamento devolvido R\$ 100,00 de R\$ 100,00 devolvidos\./);
    assert.match(fully, /Valor R\$ 100,00 Devolvido R\$ 100,00/);
  });

  test('of a subscription sees what was given back of its latest payment', async () => {
    const offer = await CheckoutPage.ofOffer(
      shop,
      recurringOffer({ trial_days: undefined, cycles: [{ start: 1, end: null, amount: 10_000 }] }),
    );
    const { hash } = await offer.subscribed(await offer.subscriptionBody());
    assert.doesNotMatch(await shown(`/a/${hash}`), /Devolvido/);
    const [{ id, amount }] = (await shop.get('/payments')).data;
    for (const [refund, text] of [
      [3_000, /Último pagamento R\$ 100,00 em [^ ]+ [^ ]+ Devolvido R\$ 30,00/],
      [amount - 3_000, /Devolvido R\$ 100,00/],
    ] as const) {
      assert.equal((await shop.refund(id, refund)).status, 201);
      assert.match(await shown(`/a/${hash}`), text);
    }
    assert.equal((await offer.subscription(hash)).payment.refunded_amount, amount);
  });
});
