/** Checkout pages in browsers without scripts. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MINUTE_MS } from '../../domain/durations.ts';
import { changeMerchant } from '../../services/merchants/change-merchant.ts';
import { ADDRESS } from '../support/orders/parties.ts';
import { CheckoutPage, DOCUMENTS } from '../support/pages/checkout-page.ts';
import { openLinkBody } from '../support/pages/link-bodies.ts';
import { CheckoutSite } from './support/checkout-site.ts';
import { missingBrowser } from './support/chromium.ts';

describe('a checkout page without scripts', { skip: missingBrowser() }, () => {
  const site = new CheckoutSite();

  const withoutScripts = { javaScriptEnabled: false } as const;

  test('takes a Pix by a form, and pays once for a double click', async () => {
    const link = await CheckoutPage.ofLink(site.shop);
    await using buyer = await site.atLink(link, withoutScripts);
    await buyer.page.getByText('Pagamento seguro').waitFor();
    await buyer.contact();
    await buyer.page.getByRole('button', { name: 'Pagar' }).dblclick();
    await buyer.heading('Pague com Pix');
    await buyer.page.getByText('Pagamento seguro').waitFor();
    assert.equal(await buyer.page.locator('meta[http-equiv="refresh"]').count(), 1);
    assert.equal((await site.shop.get('/payments')).data.length, 1);
    assert.match(await buyer.page.getByLabel('Pix copia e cola').inputValue(), /^000201/);
  });

  /** Sends the form of a page by Pix. */
  const sendForm = (path: string, key: string, form: object = {}) =>
    fetch(site.service.url + path, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({
        key: key.padEnd(32, 'k'),
        payment_method: 'pix',
        name: 'Bia Lima',
        email: 'bia@example.com',
        ...form,
      }),
    });
  const ofLink = async (fields: object = {}) => {
    const link = await CheckoutPage.ofLink(site.shop, fields);
    return { page: link, path: `/l/${link.hash}`, price: '15990' };
  };
  const ofOffer = async () => {
    const offer = await CheckoutPage.ofOffer(site.shop);
    return { page: offer, path: `/c/${offer.hash}`, price: '49900' };
  };
  const inTenMinutes = () => new Date(Date.now() + 10 * MINUTE_MS).toISOString();
  type Sold = Awaited<ReturnType<typeof ofLink>>;

  /** The page, how it is closed after a payment, and what it then says. */
  const closings: Readonly<Record<string, [() => Promise<Sold>, (page: CheckoutPage) => unknown, string]>> = {
    taken: [() => ofLink({ max_payments: 1 }), () => {}, 'Todas as vagas estão ocupadas'],
    exhausted: [
      () => ofLink({ max_payments: 1 }),
      async () => site.shop.simulate((await site.shop.get('/payments')).data[0].id, 'paid'),
      'Este link não aceita mais pagamentos',
    ],
    disabled: [
      ofLink,
      ({ id }) => site.shop.post(`/payment-links/${id}/disable`),
      'Este link não está ativo',
    ],
    expired: [
      () => ofLink({ expires_at: inTenMinutes() }),
      () => site.service.setAhead(11 * MINUTE_MS),
      'Este link expirou',
    ],
    archived: [ofOffer, ({ id }) => site.shop.post(`/product-offers/${id}/archive`), 'Esta oferta terminou'],
    unavailable: [
      ofLink,
      () => changeMerchant(site.service.deps, site.shop.account, { paymentMethods: ['bank_slip'] }),
      'Pagamento indisponível',
    ],
  };
  for (const [reason, [open, close, title]] of Object.entries(closings))
    test(`a form that is sent again after its page was closed ends at its payment (${reason})`, async () => {
      const { page, path, price } = await open();
      const first = await sendForm(path, 'mine', { price });
      assert.equal(first.status, 303);
      try {
        await close(page);
        assert.equal((await page.read()).body.reason, reason);
        const repeated = await sendForm(path, 'mine', { price });
        assert.deepEqual(
          [repeated.status, repeated.headers.get('location')],
          [303, first.headers.get('location')],
        );
        for (const form of [{}, { email: '' }, { payment_method: 'credit_card' }]) {
          const another = await sendForm(path, 'another', { price, ...form });
          assert.match(await another.text(), new RegExp(title));
        }
      } finally {
        site.service.setAhead(0);
      }
      assert.equal((await site.shop.get('/payments')).data.length, 1);
    });

  test('a form of a shop that is suspended says that nothing can be paid there', async () => {
    const { path, price } = await ofLink();
    assert.equal((await sendForm(path, 'mine', { price })).status, 303);
    await site.shop.suspend();
    for (const key of ['mine', 'another']) {
      assert.match(await (await sendForm(path, key, { price })).text(), /Pagamento indisponível/);
    }
    assert.equal((await site.shop.get('/payments')).data.length, 1);
  });

  test('takes a boleto by a form, and keeps what was typed when a field is wrong', async () => {
    const link = await CheckoutPage.ofLink(site.shop, {
      payment_methods: ['pix', 'bank_slip'],
      collect_phone: true,
    });
    await using buyer = await site.atLink(link, withoutScripts);
    const { page } = buyer;
    await buyer.contact();
    await page.getByLabel('Celular').fill('+55 (11) 98765-4321');
    await buyer.choose('Boleto');
    await buyer.address();
    await buyer.pay();
    await page.getByText('Digite um CPF ou CNPJ válido.').waitFor();
    assert.equal(await page.getByLabel('Cidade').inputValue(), 'São Paulo');
    await page.getByLabel('CPF ou CNPJ').fill('529.982.247-25');
    await buyer.pay();
    await buyer.heading('Seu boleto está pronto');
    const [payment] = (await site.shop.get('/payments')).data;
    const { buyer: typed } = await site.shop.get(`/charges/orders/${payment.order_id}`);
    assert.deepEqual(typed.documents, DOCUMENTS);
    assert.deepEqual(typed.phone, { type: 'mobile', ddi: '55', ddd: '11', number: '987654321' });
    const { line_2: _, ...address } = ADDRESS;
    assert.partialDeepStrictEqual(typed.addresses, [address]);
  });

  test('says that a card needs scripts', async () => {
    const link = await CheckoutPage.ofLink(site.shop);
    await using buyer = await site.atLink(link, withoutScripts);
    await buyer.choose('Cartão de crédito');
    await buyer.page.getByText('precisa de JavaScript').waitFor();
    assert.equal(await buyer.page.getByLabel('Número do cartão').isVisible(), false);
    await buyer.contact();
    await buyer.pay();
    await buyer.page.locator('#failure', { hasText: 'precisa de JavaScript' }).waitFor();
    await buyer.page.locator('#failure', { hasText: 'escolha outra forma de pagamento' }).waitFor();
  });

  test('shows a new price before it is paid', async () => {
    const link = await CheckoutPage.ofLink(site.shop);
    await using buyer = await site.atLink(link, withoutScripts);
    await site.shop.call('PUT', `/payment-links/${link.id}`, { body: { amount: 20_000 } });
    await buyer.contact();
    await buyer.pay();
    await buyer.page.getByText('O preço mudou.').waitFor();
    await buyer.page.getByRole('button', { name: 'Pagar R$\u00a0200,00' }).click();
    await buyer.heading('Pague com Pix');
  });

  test('shows the price of a link whose amount the buyer could type before, and charges nothing yet', async () => {
    const link = await CheckoutPage.ofLink(site.shop, openLinkBody());
    await using buyer = await site.atLink(link, withoutScripts);
    const { page } = buyer;
    await page.getByLabel('Valor').fill('50');
    const body = { amount_type: 'fixed', amount: 20_000 };
    await site.shop.call('PUT', `/payment-links/${link.id}`, { body });
    await buyer.contact();
    await buyer.pay();
    await page.getByText('O preço mudou.').waitFor();
    assert.deepEqual((await site.shop.get('/payments')).data, []);
    await page.getByRole('button', { name: 'Pagar R$\u00a0200,00' }).click();
    await buyer.heading('Pague com Pix');
  });

  test('takes no form without a price for the current price, which its buyer may not have seen', async () => {
    const link = await CheckoutPage.ofLink(site.shop);
    const form = { payment_method: 'pix', name: 'Bia Lima', email: 'bia@example.com' };
    const send = (price: object) =>
      fetch(`${site.service.url}/l/${link.hash}`, {
        method: 'POST',
        redirect: 'manual',
        body: new URLSearchParams({ ...form, ...price }),
      });
    for (const price of [{}, { price: '' }, { price: '15989' }, { price: '159,90' }]) {
      const answer = await send(price);
      assert.equal(answer.status, 422, JSON.stringify(price));
      assert.match(await answer.text(), /O preço mudou\./);
    }
    assert.deepEqual((await site.shop.get('/payments')).data, []);
    assert.equal((await send({ price: '15990' })).status, 303);
  });
});
