/** Payments at a buyer's page whose outcome the browser does not know at first. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { CheckoutPage } from '../support/pages/checkout-page.ts';
import { until } from '../support/until.ts';
import { assertAccessible } from './support/accessibility.ts';
import { CheckoutSite } from './support/checkout-site.ts';
import { missingBrowser } from './support/chromium.ts';

describe('the page of a payment link', { skip: missingBrowser() }, () => {
  const site = new CheckoutSite();

  async function payments() {
    return (await site.shop.get('/payments')).data;
  }

  test('pays once for a double click, and for another click after the connection broke', async () => {
    const link = await CheckoutPage.ofLink(site.shop);
    await using buyer = await site.atLink(link);
    const { page } = buyer;
    await buyer.contact();
    let requests = 0;
    await page.route('**/payments', async (route) => {
      requests += 1;
      // The payment is made, and its answer is lost.
      if (requests === 1) await route.fetch();
      if (requests === 1) return route.abort();
      return route.continue();
    });
    await page.getByRole('button', { name: 'Pagar' }).dblclick();
    await page.getByText('você não paga duas vezes').waitFor();
    assert.equal(requests, 1);
    await buyer.pay();
    await buyer.heading('Pague com Pix');
    assert.equal((await payments()).length, 1);
  });

  test('waits for an outcome that is not known yet, and then shows it', async () => {
    const link = await CheckoutPage.ofLink(site.shop);
    await using buyer = await site.atLink(link);
    await buyer.contact();
    await buyer.choose('Cartão de crédito');
    await buyer.card('4000 0000 0000 1133');
    await buyer.pay();
    await buyer.heading('Processando o pagamento');
    await assertAccessible(buyer.page);
    await until('the acquirer has approved', async () => {
      await site.shop.acquirerWorks(11_000);
      return (await payments())[0].status === 'paid';
    });
    await buyer.heading('Pagamento aprovado');
  });
});
