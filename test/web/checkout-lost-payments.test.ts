/** Pages where nothing can be paid any more, after the answer to a payment was lost there. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { MINUTE_MS } from '../../domain/durations.ts';
import { CheckoutPage } from '../support/pages/checkout-page.ts';
import { until } from '../support/until.ts';
import { assertAccessible } from './support/accessibility.ts';
import type { Buyer } from './support/buyer.ts';
import { CheckoutSite } from './support/checkout-site.ts';
import { missingBrowser, overflow, PHONE } from './support/chromium.ts';

/** The server gets the payments of the page, and the answers to the first `count` are lost. Returns their number. */
async function loseAnswers(page: Page, count: number): Promise<() => number> {
  let requests = 0;
  await page.route('**/payments', async (route) => {
    requests += 1;
    if (requests > count) return route.continue();
    await route.fetch();
    return route.abort();
  });
  return () => requests;
}

describe('a page where nothing can be paid any more', { skip: missingBrowser() }, () => {
  const site = new CheckoutSite();

  async function paymentId(): Promise<string> {
    return (await site.shop.get('/payments')).data[0].id;
  }

  async function payLost(buyer: Buyer, isCard = false): Promise<void> {
    await buyer.contact();
    if (isCard) {
      await buyer.choose('Cartão de crédito');
      await buyer.card();
    }
    await buyer.pay();
    await buyer.page.getByText('você não paga duas vezes').waitFor();
  }

  const inTenMinutes = () => new Date(Date.now() + 10 * MINUTE_MS).toISOString();
  /** The link, how it is closed, and the page of the payment then. */
  const closings: Readonly<Record<string, [object, (link: CheckoutPage) => unknown, string]>> = {
    disabled: [{}, (link) => site.shop.post(`/payment-links/${link.id}/disable`), 'Pague com Pix'],
    expired: [{ expires_at: inTenMinutes() }, () => site.service.setAhead(11 * MINUTE_MS), 'Pague com Pix'],
    exhausted: [
      { max_payments: 1 },
      async () => site.shop.simulate(await paymentId(), 'paid'),
      'Pagamento aprovado',
    ],
  };
  for (const [reason, [fields, close, heading]] of Object.entries(closings))
    test(`opens the Pix whose answer was lost, and later has a link to it (${reason})`, async () => {
      const link = await CheckoutPage.ofLink(site.shop, fields);
      await using buyer = await site.atLink(link);
      await loseAnswers(buyer.page, 1);
      await payLost(buyer);
      try {
        await close(link);
        assert.equal((await link.read()).body.reason, reason);
        await buyer.page.reload();
        await buyer.heading(heading);
        await buyer.page.goto(`${site.service.url}/l/${link.hash}`);
        await buyer.page.getByRole('link', { name: 'Ver o pagamento' }).click();
        await buyer.heading(heading);
      } finally {
        site.service.setAhead(0);
      }
      assert.equal((await site.shop.get('/payments')).data.length, 1);
    });

  test('sends a Pix again whose answer is lost again, and opens it', async () => {
    const link = await CheckoutPage.ofLink(site.shop, { max_payments: 1 });
    await using buyer = await site.atLink(link, { screen: PHONE });
    const { page } = buyer;
    await loseAnswers(page, 2);
    await payLost(buyer);
    await page.clock.install();
    await page.reload();
    await buyer.heading('Todas as vagas estão ocupadas');
    await page.getByText('ainda não sabemos o resultado').waitFor();
    assert.equal(await overflow(page), 0);
    await page.clock.runFor(2_000);
    await buyer.heading('Pague com Pix');
    assert.equal((await site.shop.get('/payments')).data.length, 1);
  });

  test('stops after six more answers are lost, and says that the result is not known', async () => {
    const link = await CheckoutPage.ofLink(site.shop);
    await using buyer = await site.atLink(link);
    const { page } = buyer;
    const requests = await loseAnswers(page, 100);
    await payLost(buyer);
    await site.shop.post(`/payment-links/${link.id}/disable`);
    await page.clock.install();
    await page.reload();
    await buyer.heading('Este link não está ativo');
    const isSent = (count: number) => async () => {
      await page.clock.runFor(MINUTE_MS);
      return requests() >= count;
    };
    await until('it is sent for the last time', isSent(8));
    for (let minutes = 0; minutes < 10; minutes += 1) await page.clock.runFor(MINUTE_MS);
    assert.equal(requests(), 8);
    assert.equal(await page.getByText('ainda não sabemos o resultado').isVisible(), true);
  });

  test('still says that the result of a Pix is not known after its merchant is suspended', async () => {
    const link = await CheckoutPage.ofLink(site.shop);
    await using buyer = await site.atLink(link);
    const { page } = buyer;
    const requests = await loseAnswers(page, 2);
    await payLost(buyer);
    await site.shop.suspend();
    await page.clock.install();
    await page.reload();
    await buyer.heading('Pagamento indisponível');
    const unknown = page.getByText('ainda não sabemos o resultado');
    await unknown.waitFor();
    const refused = page.waitForEvent('requestfinished', (request) => request.url().endsWith('/payments'));
    await page.clock.runFor(2_000);
    assert.ok([403, 404].includes((await (await refused).response())!.status()));
    assert.equal(await unknown.isVisible(), true);
    await page.reload();
    await unknown.waitFor();
    assert.equal(requests(), 4);
  });

  test('says in every tab that the result of a Pix is not known', async () => {
    const link = await CheckoutPage.ofLink(site.shop);
    await using buyer = await site.atLink(link);
    const requests = await loseAnswers(buyer.page, 1);
    await payLost(buyer);
    await site.shop.post(`/payment-links/${link.id}/disable`);
    const tab = await buyer.page.context().newPage();
    await tab.goto(buyer.page.url());
    await tab.getByText('ainda não sabemos o resultado').waitFor();
    assert.equal(requests(), 1);
  });

  test('warns of a card whose answer was lost, and does not charge it again', async () => {
    const link = await CheckoutPage.ofLink(site.shop, { max_payments: 1 });
    await using buyer = await site.atLink(link, { screen: PHONE, colorScheme: 'dark' });
    const { page } = buyer;
    const requests = await loseAnswers(page, 1);
    await payLost(buyer, true);
    await page.reload();
    await buyer.heading('Este link não aceita mais pagamentos');
    await page.locator('#sent', { hasText: 'ele pode já ter sido cobrado' }).waitFor();
    await assertAccessible(page);
    assert.equal(await overflow(page), 0);
    assert.equal(requests(), 1);
  });

  test('says nothing of payments in a browser that has sent none', async () => {
    const link = await CheckoutPage.ofLink(site.shop);
    await site.shop.post(`/payment-links/${link.id}/disable`);
    await using buyer = await site.atLink(link);
    await buyer.page.waitForLoadState('networkidle');
    for (const id of ['#sent', '#open-payment']) {
      assert.equal(await buyer.page.locator(id).isVisible(), false, id);
    }
    assert.deepEqual(buyer.watched.complaints, []);
  });
});
