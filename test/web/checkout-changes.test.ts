/** The form of a checkout page when something has changed since it was opened, or when something fails. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { firstPaint_ms } from '../../scripts/bench/slow-phone.ts';
import { changeMerchant } from '../../services/merchants/change-merchant.ts';
import { CheckoutPage, pixBody } from '../support/pages/checkout-page.ts';
import { openLinkBody } from '../support/pages/link-bodies.ts';
import { assertAccessible } from './support/accessibility.ts';
import { CheckoutSite } from './support/checkout-site.ts';
import { missingBrowser, PHONE } from './support/chromium.ts';

describe('the page of a payment link', { skip: missingBrowser() }, () => {
  const site = new CheckoutSite();

  async function payments() {
    return (await site.shop.get('/payments')).data;
  }

  test('has a first paint that `make bench-first-paint` can measure', async () => {
    const link = await CheckoutPage.ofLink(site.shop);
    const paint_ms = await firstPaint_ms(site.browser, `${site.service.url}/l/${link.hash}`);
    // One round trip at the least.
    assert.ok(paint_ms > 150, String(paint_ms));
  });

  test('shows a new price before it is paid', async () => {
    const link = await CheckoutPage.ofLink(site.shop);
    await using buyer = await site.atLink(link);
    await site.shop.call('PUT', `/payment-links/${link.id}`, { body: { amount: 20_000 } });
    await buyer.contact();
    await buyer.pay();
    await buyer.page.getByText('O preço mudou.').waitFor();
    await buyer.page.getByRole('button', { name: 'Pagar R$\u00a0200,00' }).click();
    await buyer.heading('Pague com Pix');
    assert.equal((await payments())[0].amount, 20_000);
  });

  for (const kind of ['fixed', 'typed'] as const) {
    test(`shows new interest for a ${kind} amount before it is paid`, async () => {
      const fields = { max_installments: 2, interest_mode: 'installments' };
      const body = kind === 'fixed' ? { amount: 10_000, ...fields } : openLinkBody(fields);
      await changeMerchant(site.service.deps, site.shop.account, { installmentInterest: { 2: 200 } });
      const link = await CheckoutPage.ofLink(site.shop, body);
      await using buyer = await site.atLink(link);
      const { page } = buyer;
      await buyer.contact();
      if (kind === 'typed') await page.getByLabel('Valor').fill('100');
      await buyer.choose('Cartão de crédito');
      await page
        .getByLabel('Parcelas')
        .selectOption({ label: '2x de R$\u00a051,00 com juros, total R$\u00a0102,00' });
      await buyer.card();
      await changeMerchant(site.service.deps, site.shop.account, { installmentInterest: { 2: 300 } });
      await buyer.pay();
      await page.getByText('O preço mudou.').waitFor();
      assert.deepEqual(await payments(), []);
      await page.getByRole('button', { name: 'Pagar R$\u00a0103,00' }).click();
      await buyer.heading('Pagamento aprovado');
      assert.equal((await payments())[0].amount, 10_300);
    });
  }

  for (const method of ['Pix', 'Cartão de crédito'])
    test(`shows the price of a link whose amount the buyer could type before, and takes it by ${method}`, async () => {
      const link = await CheckoutPage.ofLink(site.shop, openLinkBody({ max_installments: 3 }));
      await using buyer = await site.atLink(link);
      const { page } = buyer;
      const typed = async () => {
        await buyer.contact();
        await buyer.choose(method);
        if (method !== 'Pix') await buyer.card();
      };
      await page.getByLabel('Valor').fill('50');
      await typed();
      if (method !== 'Pix') await page.locator('#installments').selectOption('2');
      const body = { amount_type: 'fixed', amount: 20_000 };
      await site.shop.call('PUT', `/payment-links/${link.id}`, { body });
      await buyer.pay();
      await page.locator('#price', { hasText: 'R$\u00a0200,00' }).waitFor();
      assert.equal(await page.getByLabel('Valor').count(), 0);
      assert.deepEqual(await payments(), []);
      await typed();
      await page.getByRole('button', { name: 'Pagar R$\u00a0200,00' }).click();
      await buyer.heading(method === 'Pix' ? 'Pague com Pix' : 'Pagamento aprovado');
      assert.equal((await payments())[0].amount, 20_000);
    });

  test('shows the terms if the link now starts subscriptions, and the price if it does not any more', async () => {
    const link = await CheckoutPage.ofLink(site.shop, { payment_methods: ['credit_card'] });
    await using buyer = await site.atLink(link);
    const { page } = buyer;
    const sent = async (button: string) => {
      await buyer.contact();
      await buyer.card();
      await page.getByRole('button', { name: button }).click();
    };
    await site.shop.call('PUT', `/payment-links/${link.id}`, { body: { recurrence_interval: 'monthly' } });
    await sent('Pagar');
    await page.locator('.terms', { hasText: 'R$\u00a0159,90 por mês' }).waitFor();
    await site.shop.call('PUT', `/payment-links/${link.id}`, { body: { recurrence_interval: null } });
    await sent('Assinar');
    await page.getByRole('button', { name: 'Pagar R$\u00a0159,90' }).waitFor();
    assert.equal(await page.locator('.terms').count(), 0);
    assert.deepEqual(await payments(), []);
    await sent('Pagar');
    await buyer.heading('Pagamento aprovado');
  });

  test('charges a typed amount in the installments that the buyer has chosen, or not at all', async () => {
    const link = await CheckoutPage.ofLink(site.shop, openLinkBody({ max_installments: 3 }));
    await using buyer = await site.atLink(link);
    const { page } = buyer;
    const select = page.locator('#installments');
    await buyer.contact();
    await buyer.choose('Cartão de crédito');
    await buyer.card();
    await page.getByLabel('Valor').fill('90');
    await select.selectOption('3');
    let isBroken = true;
    await page.route('**/api/v1/checkout/*?amount=*', (route) =>
      isBroken ? route.abort() : route.continue(),
    );
    await page.getByLabel('Valor').fill('120');
    assert.equal(await select.isDisabled(), true);
    assert.equal(await select.getAttribute('aria-busy'), 'true');
    await buyer.pay();
    await page.getByText('Não recebemos a resposta do servidor.').waitFor();
    assert.deepEqual(await payments(), []);
    isBroken = false;
    await buyer.pay();
    await buyer.heading('Pagamento aprovado');
    const [{ amount, installments }] = await payments();
    assert.deepEqual([amount, installments], [12_000, 3]);
  });

  test('takes no second payment while the page of the first one is opened', async () => {
    const link = await CheckoutPage.ofLink(site.shop);
    await using buyer = await site.atLink(link);
    const { page } = buyer;
    await buyer.contact();
    await buyer.choose('Cartão de crédito');
    await buyer.card();
    await page.route('**/p/*', async (route) => {
      for (let clicks = 0; clicks < 3; clicks += 1) await page.waitForEvent('console');
      await route.continue();
    });
    const click = "document.querySelector('button.pay').click(); console.debug('click')";
    await page.evaluate(`void setInterval(() => { ${click} }, 50)`);
    await buyer.heading('Pagamento aprovado');
    assert.equal((await payments()).length, 1);
  });

  test('says so if a card cannot be encrypted, because the library was not loaded or the browser refuses', async () => {
    const link = await CheckoutPage.ofLink(site.shop, { payment_methods: ['credit_card'] });
    for (const cause of ['library', 'browser']) {
      await using buyer = await site.atLink(link);
      const { page } = buyer;
      if (cause === 'library') {
        await page.route('**/lib/centavo.js', (route) => route.abort());
        await page.reload();
      } else
        await page.evaluate(
          'crypto.subtle.constructor.prototype.importKey = () => Promise.reject(new Error())',
        );
      await buyer.contact();
      await buyer.card();
      await buyer.pay();
      await page.getByText('não conseguiu criptografar o cartão').waitFor();
      assert.notEqual(await page.locator('button.pay').getAttribute('aria-busy'), 'true');
    }
    assert.deepEqual(await payments(), []);
  });

  test('marks a payment method that the shop takes no more, and a card of a brand that is not accepted', async () => {
    const link = await CheckoutPage.ofLink(site.shop);
    await using buyer = await site.atLink(link, { screen: PHONE });
    const { page } = buyer;
    await site.shop.call('PUT', `/payment-links/${link.id}`, { body: { payment_methods: ['credit_card'] } });
    await buyer.contact();
    await buyer.pay();
    await page.locator('#payment_method-problem', { hasText: 'Escolha uma forma de pagamento.' }).waitFor();
    assert.equal(await page.getByRole('radio', { name: 'Pix' }).isDisabled(), true);
    await assertAccessible(page);
    await buyer.choose('Cartão de crédito');
    await buyer.card('9999 9999 9999 9995');
    await buyer.pay();
    await page.locator('#card-number-problem', { hasText: 'Esta bandeira não é aceita.' }).waitFor();
    assert.deepEqual(await payments(), []);
  });

  test('shows the fields that the shop asks for since the page was opened, and keeps what was typed', async () => {
    const link = await CheckoutPage.ofLink(site.shop, { payment_methods: ['credit_card', 'pix'] });
    await using buyer = await site.atLink(link, { screen: PHONE });
    const { page } = buyer;
    await buyer.contact();
    await buyer.choose('Cartão de crédito');
    await buyer.card();
    const body = { collect_phone: true, require_address: true };
    await site.shop.call('PUT', `/payment-links/${link.id}`, { body });
    await buyer.pay();
    await page.getByText('A loja agora pede mais dados.').waitFor();
    await page.locator('#phone-problem', { hasText: 'telefone' }).waitFor();
    await page.locator('#city-problem', { hasText: 'cidade' }).waitFor();
    await assertAccessible(page);
    assert.deepEqual(await payments(), []);
    await page.getByLabel('Celular').fill('11987654321');
    assert.equal(await page.getByLabel('Celular').inputValue(), '(11) 98765-4321');
    await buyer.address();
    assert.equal(await page.getByLabel('CEP').inputValue(), '01310-200');
    await buyer.pay();
    await buyer.heading('Pagamento aprovado');
    assert.equal((await payments()).length, 1);
  });

  test('shows the page of a payment whose answer was lost, also if the buyer has changed something since', async () => {
    const link = await CheckoutPage.ofLink(site.shop);
    await using buyer = await site.atLink(link);
    const { page } = buyer;
    await buyer.contact();
    let requests = 0;
    await page.route('**/payments', async (route) => {
      requests += 1;
      if (requests > 1) return route.continue();
      await route.fetch();
      return route.fulfill({ status: 504, body: 'Gateway Timeout' });
    });
    await buyer.pay();
    await page.getByText('você não paga duas vezes').waitFor();
    await page.getByLabel('Nome completo').fill('Beatriz Lima');
    await buyer.pay();
    await buyer.heading('Pague com Pix');
    assert.equal((await payments()).length, 1);
  });

  test('shows an open payment of this browser, and that it has the last place', async () => {
    const link = await CheckoutPage.ofLink(site.shop, { max_payments: 1 });
    await using buyer = await site.atLink(link, { screen: PHONE, colorScheme: 'dark' });
    const { page } = buyer;
    await buyer.contact();
    await buyer.pay();
    await buyer.heading('Pague com Pix');
    await assertAccessible(page);
    assert.equal(await page.getByText('Pagar de outra forma').count(), 0, 'the link has no place for it');
    await page.goto(`${site.service.url}/l/${link.hash}`);
    await buyer.heading('Todas as vagas estão ocupadas');
    await page.getByText('peça à loja que cancele o pagamento em aberto').waitFor();
    await page.getByText('Você tem um pagamento em aberto aqui.').waitFor();
    await assertAccessible(page);
    await page.getByRole('link', { name: 'Ver o pagamento' }).click();
    await buyer.heading('Pague com Pix');
    const [payment] = await payments();
    await site.shop.simulate(payment.id, 'paid');
    await buyer.heading('Pagamento aprovado');
    assert.equal(await page.getByText('Pagar de outra forma').count(), 0);
  });

  test('shows an open payment of this browser while another place is free', async () => {
    const link = await CheckoutPage.ofLink(site.shop, { max_payments: 2 });
    await using buyer = await site.atLink(link);
    const { page } = buyer;
    await buyer.contact();
    await buyer.pay();
    await buyer.heading('Pague com Pix');
    await page.getByText('Se você já pagou este, não pague de novo.').waitFor();
    await page.getByRole('link', { name: 'Pagar de outra forma' }).click();
    await page.getByText('Você tem um pagamento em aberto aqui.').waitFor();
    await page.getByRole('link', { name: 'Ver o pagamento' }).click();
    await buyer.heading('Pague com Pix');
  });

  test('opens when the last place is free again', async () => {
    const link = await CheckoutPage.ofLink(site.shop, { max_payments: 1 });
    await link.paid(pixBody());
    await using buyer = await site.at('/docs');
    const { page } = buyer;
    await page.clock.install();
    // A page that is only replaced by itself is not loaded if its address has a fragment.
    await page.goto(`${site.service.url}/l/${link.hash}?utm_source=mail#pay`);
    await buyer.heading('Todas as vagas estão ocupadas');
    assert.equal(await page.getByText('Você tem um pagamento em aberto aqui.').isVisible(), false);
    const polled = page.waitForResponse(`**/api/v1/checkout/${link.hash}`);
    await page.clock.runFor(15_000);
    await polled;
    await site.shop.cancel((await payments())[0].id);
    await page.clock.runFor(16_000);
    await page.getByRole('button', { name: 'Pagar' }).waitFor();
    assert.equal(page.url(), `${site.service.url}/l/${link.hash}?utm_source=mail`);
  });
});
