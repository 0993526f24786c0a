/** Payments at a buyer's page whose outcome the browser does not know at first. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { CheckoutPage } from '../support/pages/checkout-page.ts';
import { recurringOffer } from '../support/pages/offer-bodies.ts';
import { until } from '../support/until.ts';
import { assertAccessible } from './support/accessibility.ts';
import type { Buyer } from './support/buyer.ts';
import { CheckoutSite } from './support/checkout-site.ts';
import { missingBrowser, PHONE } from './support/chromium.ts';

/** Loses the answer to the first payment or subscription of a page. `isReceived`: the server gets the request. */
async function loseFirstAnswer(page: Page, { isReceived = true } = {}): Promise<void> {
  let isFirst = true;
  await page.route(/\/(payments|subscriptions)$/, async (route) => {
    if (!isFirst) return route.continue();
    isFirst = false;
    if (isReceived) await route.fetch();
    return route.abort();
  });
}

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

  test('tells a buyer who comes back from the receipt of the payment, and takes another one', async () => {
    const link = await CheckoutPage.ofLink(site.shop);
    await using buyer = await site.atLink(link, { screen: PHONE });
    const { page } = buyer;
    await buyer.contact();
    await buyer.choose('Cartão de crédito');
    await buyer.card();
    await buyer.pay();
    await buyer.heading('Pagamento aprovado');
    await page.goBack();
    await page.getByText('Você já pagou aqui.').waitFor();
    assert.equal(await page.getByText('Você tem um pagamento em aberto aqui.').isVisible(), false);
    await assertAccessible(page);
    await page.getByRole('link', { name: 'Ver o pagamento' }).click();
    await buyer.heading('Pagamento aprovado');
    await page.goBack();
    await buyer.contact();
    await buyer.choose('Pix');
    await buyer.pay();
    await buyer.heading('Pague com Pix');
  });

  test('tells a buyer in English of a card that is authorized, until that is canceled', async () => {
    const link = await CheckoutPage.ofLink(site.shop, { card_capture: false });
    const { hash } = await link.paid(await link.cardBody());
    assert.equal((await link.payment(hash)).status, 'authorized');
    await using buyer = await site.atLink(link, { locale: 'en-GB' });
    const { page } = buyer;
    await page.evaluate(`localStorage.setItem('centavo-payment-${link.hash}', '${hash}')`);
    await page.reload();
    await page.getByText('You have paid here.').waitFor();
    const [payment] = await payments();
    await site.shop.cancel(payment.id);
    const read = page.waitForResponse(`**/payments/${hash}`);
    await page.reload();
    await read;
    await page.waitForFunction("document.querySelector('#open-payment a').getAttribute('href') !== ''");
    assert.equal(await page.locator('#open-payment').isVisible(), false);
  });

  describe('that is loaded again after an answer was lost', () => {
    const isLost = ({ page }: Buyer) => page.getByText('você não paga duas vezes').waitFor();

    test('warns before a card is charged again, and charges it only then', async () => {
      const link = await CheckoutPage.ofLink(site.shop);
      await using buyer = await site.atLink(link, { screen: PHONE });
      const { page } = buyer;
      const typed = async () => {
        await buyer.contact();
        await buyer.choose('Cartão de crédito');
        await buyer.card();
        await buyer.pay();
      };
      await loseFirstAnswer(page);
      await typed();
      await isLost(buyer);
      await page.reload();
      await typed();
      await page.getByText('ele pode já ter sido cobrado').waitFor();
      await assertAccessible(page);
      assert.equal((await payments()).length, 1);
      await buyer.pay();
      await buyer.heading('Pagamento aprovado');
      assert.equal((await payments()).length, 2);
      await page.goto(`${site.service.url}/l/${link.hash}`);
      await typed();
      await buyer.heading('Pagamento aprovado');
    });

    test('warns of the card also if the buyer now chooses Pix', async () => {
      const link = await CheckoutPage.ofLink(site.shop);
      await using buyer = await site.atLink(link);
      const { page } = buyer;
      await loseFirstAnswer(page);
      await buyer.contact();
      await buyer.choose('Cartão de crédito');
      await buyer.card();
      await buyer.pay();
      await isLost(buyer);
      await page.reload();
      await buyer.contact();
      await buyer.choose('Pix');
      await buyer.pay();
      await page.getByText('ele pode já ter sido cobrado').waitFor();
      assert.equal((await payments()).length, 1);
    });

    test('opens the Pix that has the last place, without a form', async () => {
      const link = await CheckoutPage.ofLink(site.shop, { max_payments: 1 });
      await using buyer = await site.atLink(link);
      await loseFirstAnswer(buyer.page);
      await buyer.contact();
      await buyer.pay();
      await isLost(buyer);
      await buyer.page.reload();
      await buyer.heading('Pague com Pix');
      assert.equal((await payments()).length, 1);
      await buyer.page.goto(`${site.service.url}/l/${link.hash}`);
      await buyer.heading('Todas as vagas estão ocupadas');
      await buyer.page.getByText('Você tem um pagamento em aberto aqui.').waitFor();
    });

    test('opens the Pix that was made, also if the buyer now types a card', async () => {
      const link = await CheckoutPage.ofLink(site.shop);
      await using buyer = await site.atLink(link);
      await loseFirstAnswer(buyer.page);
      await buyer.contact();
      await buyer.pay();
      await isLost(buyer);
      await buyer.page.reload();
      await buyer.contact();
      await buyer.choose('Cartão de crédito');
      await buyer.card();
      await buyer.pay();
      await buyer.heading('Pague com Pix');
      assert.equal((await payments()).length, 1);
    });

    test('charges the card that the buyer now types if the server never received the Pix', async () => {
      const link = await CheckoutPage.ofLink(site.shop);
      await using buyer = await site.atLink(link);
      await loseFirstAnswer(buyer.page, { isReceived: false });
      await buyer.contact();
      await buyer.pay();
      await isLost(buyer);
      await buyer.page.reload();
      await buyer.contact();
      await buyer.choose('Cartão de crédito');
      await buyer.card();
      await buyer.pay();
      await buyer.heading('Pagamento aprovado');
      assert.equal((await payments()).length, 1);
    });

    test('in another tab shows the Pix for the same details, and says so for others', async () => {
      const link = await CheckoutPage.ofLink(site.shop);
      for (const name of ['Bia Lima', 'Ana Lima']) {
        await using buyer = await site.atLink(link);
        const before = (await payments()).length;
        await loseFirstAnswer(buyer.page);
        const typed = async (page: Page, typedName: string) => {
          await page.getByLabel('E-mail').fill('bia@example.com');
          await page.getByLabel('Nome completo').fill(typedName);
          await page.getByRole('button', { name: 'Pagar' }).click();
        };
        await typed(buyer.page, 'Bia Lima');
        await isLost(buyer);
        const tab = await buyer.page.context().newPage();
        await tab.goto(buyer.page.url());
        await typed(tab, name);
        await (name === 'Bia Lima'
          ? tab.getByRole('heading', { name: 'Pague com Pix' })
          : tab.getByText('pague só um deles')
        ).waitFor();
        assert.equal((await payments()).length, before + 1);
      }
    });

    test('pays without a warning if the server never received the first payment', async () => {
      const link = await CheckoutPage.ofLink(site.shop, { payment_methods: ['credit_card'] });
      await using buyer = await site.atLink(link);
      await loseFirstAnswer(buyer.page, { isReceived: false });
      for (const load of ['first', 'second']) {
        await buyer.contact();
        await buyer.card();
        await buyer.pay();
        if (load === 'second') break;
        await isLost(buyer);
        await buyer.page.reload();
      }
      await buyer.heading('Pagamento aprovado');
      assert.equal((await payments()).length, 1);
    });

    test('warns before a second subscription', async () => {
      const offer = await CheckoutPage.ofOffer(site.shop, recurringOffer({ trial_days: undefined }));
      await using buyer = await site.at(`/s/${offer.hash}`);
      const { page } = buyer;
      await loseFirstAnswer(page);
      for (const load of ['first', 'second']) {
        await buyer.contact();
        await buyer.card();
        await page.getByRole('button', { name: 'Assinar' }).click();
        if (load === 'second') break;
        await isLost(buyer);
        await page.reload();
      }
      await page.getByText('ele pode já ter sido cobrado').waitFor();
      assert.equal((await site.shop.get('/subscriptions')).data.length, 1);
    });

    test('pays also in a browser that stores nothing', async () => {
      const link = await CheckoutPage.ofLink(site.shop);
      await using buyer = await site.atLink(link);
      const { page } = buyer;
      await page.addInitScript(`for (const name of ['localStorage', 'sessionStorage'])
        Object.defineProperty(window, name, { get() { throw new DOMException('Blocked.', 'SecurityError'); } })`);
      await page.reload();
      await buyer.contact();
      await buyer.pay();
      await buyer.heading('Pague com Pix');
    });
  });
});
