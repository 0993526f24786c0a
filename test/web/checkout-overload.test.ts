/** The pages of buyers while the service is overloaded. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import pg from 'pg';
import { gaugesOf } from '../support/http/gauges.ts';
import { CheckoutPage, pixBody } from '../support/pages/checkout-page.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { Shop } from '../support/shop.ts';
import { until } from '../support/until.ts';
import { seriousViolations } from './support/accessibility.ts';
import { Buyer, type BuyerOptions } from './support/buyer.ts';
import { CheckoutSite } from './support/checkout-site.ts';
import { missingBrowser, overflow, PHONE } from './support/chromium.ts';

/** Takes the only place of a service by a payment that waits for a lock. Returns a function that ends it. */
async function overload(service: TestService, shop: Shop, link: CheckoutPage): Promise<() => Promise<void>> {
  const lock = new pg.Client({ connectionString: service.databaseUrl });
  await lock.connect();
  await lock.query('begin');
  await lock.query('select 1 from payment_links where merchant_id = $1 for update', [shop.account]);
  const payment = link.pay(pixBody());
  await until('the payment has the place', async () => (await gaugesOf(service)).in_flight === 1);
  return async () => {
    await lock.query('rollback');
    await lock.end();
    assert.equal((await payment).status, 201);
  };
}

describe('a page of an overloaded service', { skip: missingBrowser() }, () => {
  const site = new CheckoutSite();

  async function opened() {
    const own = await startTestService({ beside: site.service, jobs: false, env: { MAX_IN_FLIGHT: '1' } });
    const shop = await Shop.open(own, { name: 'Aurora Cursos' });
    const link = await CheckoutPage.ofLink(shop);
    const at = (options: BuyerOptions) => Buyer.at(site.browser, own, `/l/${link.hash}`, options);
    return { own, shop, link, at, [Symbol.asyncDispose]: () => own.stop() };
  }

  for (const [locale, colorScheme, title, advice, pay] of [
    ['pt-BR', 'light', 'Página indisponível', 'Não foi possível carregar a página.', 'Pagar'],
    ['en-GB', 'dark', 'Page not available', 'The page could not be loaded.', 'Pay'],
  ] as const)
    test(`says so, and loads itself again (${locale})`, async () => {
      await using shown = await opened();
      const end = await overload(shown.own, shown.shop, shown.link);
      await using buyer = await shown.at({ screen: PHONE, locale, colorScheme });
      const { page } = buyer;
      await buyer.heading(title);
      await page.getByText(advice).waitFor();
      // The page has nothing that its reload could take away from a reader.
      assert.deepEqual(await seriousViolations(page), ['meta-refresh: meta[http-equiv="refresh"]']);
      assert.equal(await overflow(page), 0);
      await end();
      await page.getByRole('button', { name: pay }).waitFor();
    });

  test('does not load itself again after a form, which the buyer sends again by a reload', async () => {
    await using shown = await opened();
    await using buyer = await shown.at({ javaScriptEnabled: false });
    const { page } = buyer;
    await buyer.contact();
    const sent: (string | null)[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') sent.push(request.postData());
    });
    const end = await overload(shown.own, shown.shop, shown.link);
    await buyer.pay();
    await buyer.heading('Página indisponível');
    await page.getByText('recarregue esta página e confirme o envio do formulário').waitFor();
    assert.equal(await page.locator('meta[http-equiv="refresh"]').count(), 0);
    await end();
    await page.reload();
    await buyer.heading('Pague com Pix');
    assert.equal(sent.length, 2);
    assert.equal(sent[1], sent[0], 'with the same key');
  });
});
