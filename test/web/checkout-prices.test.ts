/** Prices that have changed since the page was opened are shown before a buyer pays them; and the bench of the page. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { firstPaint_ms } from '../../scripts/bench/first-paint.ts';
import { changeMerchant } from '../../services/merchants/change-merchant.ts';
import { CheckoutPage } from '../support/checkout-page.ts';
import { openLinkBody } from '../support/link-bodies.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { Shop } from '../support/shop.ts';
import { Buyer } from './support/buyer.ts';
import { missingBrowser, openBrowser } from './support/chromium.ts';

describe('the page of a payment link', { skip: missingBrowser() }, () => {
  let service: TestService;
  let browser: Browser;
  let shop: Shop;
  before(async () => {
    [service, browser] = await Promise.all([startTestService(), openBrowser()]);
  });
  after(() => Promise.all([browser?.close(), service?.stop()]));
  beforeEach(async () => {
    shop = await Shop.open(service);
  });

  async function payments() {
    return (await shop.get('/payments')).data;
  }

  test('shows a new price before it is paid', async () => {
    const link = await CheckoutPage.ofLink(shop);
    await using buyer = await Buyer.atLink(browser, service, link);
    await shop.call('PUT', `/payment-links/${link.id}`, { body: { amount: 20_000 } });
    await buyer.contact();
    await buyer.pay();
    await buyer.page.getByText('O preço mudou.').waitFor();
    await buyer.page.getByRole('button', { name: 'Pagar R$\u00a0200,00' }).click();
    await buyer.heading('Pague com Pix');
    assert.equal((await payments())[0].amount, 20_000);
  });

  test('has a first paint that `make bench-first-paint` can measure', async () => {
    const link = await CheckoutPage.ofLink(shop);
    const paint_ms = await firstPaint_ms(browser, `${service.url}/l/${link.hash}`);
    // One round trip at the least.
    assert.ok(paint_ms > 150, String(paint_ms));
  });

  for (const kind of ['fixed', 'typed'] as const) {
    test(`shows new interest for a ${kind} amount before it is paid`, async () => {
      const fields = { max_installments: 2, interest_mode: 'installments' };
      const body = kind === 'fixed' ? { amount: 10_000, ...fields } : openLinkBody(fields);
      await changeMerchant(service.deps, shop.account, { installmentInterest: { 2: 200 } });
      const link = await CheckoutPage.ofLink(shop, body);
      await using buyer = await Buyer.atLink(browser, service, link);
      const { page } = buyer;
      await buyer.contact();
      if (kind === 'typed') await page.getByLabel('Valor').fill('100');
      await buyer.choose('Cartão de crédito');
      await page
        .getByLabel('Parcelas')
        .selectOption({ label: '2x de R$\u00a051,00 com juros, total R$\u00a0102,00' });
      await buyer.card();
      await changeMerchant(service.deps, shop.account, { installmentInterest: { 2: 300 } });
      await buyer.pay();
      await page.getByText('O preço mudou.').waitFor();
      assert.deepEqual(await payments(), []);
      await page.getByRole('button', { name: 'Pagar R$\u00a0103,00' }).click();
      await buyer.heading('Pagamento aprovado');
      assert.equal((await payments())[0].amount, 10_300);
    });
  }
});
