/** Checkout pages where nothing can be paid, and the headers of all of them. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ADDRESS, customerBody } from '../support/orders/parties.ts';
import { CheckoutPage, DOCUMENTS, pixBody } from '../support/pages/checkout-page.ts';
import { recurringOffer } from '../support/pages/offer-bodies.ts';
import { useUpRequests } from '../support/pages/used-up-requests.ts';
import { startTestService } from '../support/service.ts';
import { Shop } from '../support/shop.ts';
import { seriousViolations } from './support/accessibility.ts';
import { CheckoutSite } from './support/checkout-site.ts';
import { missingBrowser, overflow, PHONE } from './support/chromium.ts';

describe('a checkout page', { skip: missingBrowser() }, () => {
  const site = new CheckoutSite();

  const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

  /** Prepares a page, and returns its path. */
  const deadEnds: Readonly<Record<string, () => Promise<string>>> = {
    'Este link não está ativo': async () => {
      const link = await CheckoutPage.ofLink(site.shop);
      await site.shop.post(`/payment-links/${link.id}/disable`);
      return `/l/${link.hash}`;
    },
    'Este link expirou': async () => {
      const link = await CheckoutPage.ofLink(site.shop, { expires_at: inAnHour() });
      site.service.setAhead(2 * 3_600_000);
      return `/l/${link.hash}`;
    },
    'Este link não aceita mais pagamentos': async () => {
      const link = await CheckoutPage.ofLink(site.shop, { max_payments: 1 });
      await link.paid(await link.cardBody());
      return `/l/${link.hash}`;
    },
    'Todas as vagas estão ocupadas': async () => {
      const link = await CheckoutPage.ofLink(site.shop, { max_payments: 1 });
      await link.paid(pixBody());
      return `/l/${link.hash}`;
    },
    'Esta oferta terminou': async () => {
      const offer = await CheckoutPage.ofOffer(site.shop);
      await site.shop.post(`/product-offers/${offer.id}/archive`);
      return `/c/${offer.hash}`;
    },
    'Esta oferta terminou (assinatura)': async () => {
      const offer = await CheckoutPage.ofOffer(site.shop, recurringOffer());
      await site.shop.post(`/product-offers/${offer.id}/archive`);
      return `/s/${offer.hash}`;
    },
    'Pagamento indisponível': async () => {
      const offer = await CheckoutPage.ofOffer(site.shop);
      await site.shop.suspend();
      return `/c/${offer.hash}`;
    },
    'Página não encontrada': async () => '/l/aaaaaaaaaaaaaaaaaaaaaaaaaa',
    'Assinatura não encontrada': async () => '/a/aaaaaaaaaaaaaaaaaaaaaaaaaa',
    'Pagamento não encontrado': async () => '/p/aaaaaaaaaaaaaaaaaaaaaaaaaa',
    'Este Pix expirou': async () => {
      const link = await CheckoutPage.ofLink(site.shop);
      const { hash } = await link.paid(pixBody());
      const [payment] = (await site.shop.get('/payments')).data;
      await site.shop.simulate(payment.id, 'expired');
      return `/p/${hash}`;
    },
    'Este boleto venceu': async () => {
      const link = await CheckoutPage.ofLink(site.shop, { payment_methods: ['pix', 'bank_slip'] });
      const customer = customerBody({ documents: DOCUMENTS, addresses: [ADDRESS] });
      const { hash } = await link.paid({ payment_method: 'bank_slip', customer });
      const [payment] = (await site.shop.get('/payments')).data;
      await site.shop.simulate(payment.id, 'expired');
      return `/p/${hash}`;
    },
    'Pagamento cancelado': async () => {
      const link = await CheckoutPage.ofLink(site.shop);
      const { hash } = await link.paid(pixBody());
      const [payment] = (await site.shop.get('/payments')).data;
      await site.shop.cancel(payment.id);
      return `/p/${hash}`;
    },
    'Pagamento não autorizado': async () => {
      const link = await CheckoutPage.ofLink(site.shop);
      const { hash } = await link.paid(await link.cardBody({}, { number: '4000000000009995' }));
      return `/p/${hash}`;
    },
    'Pagamento devolvido': async () => {
      const link = await CheckoutPage.ofLink(site.shop);
      const { hash } = await link.paid(await link.cardBody());
      const [payment] = (await site.shop.get('/payments')).data;
      await site.shop.refund(payment.id);
      return `/p/${hash}`;
    },
  };

  for (const [title, prepare] of Object.entries(deadEnds)) {
    test(`says “${title}”, without a form`, async () => {
      await using buyer = await site.at(await prepare(), { screen: PHONE });
      site.service.setAhead(0);
      const { page } = buyer;
      await buyer.heading(title.replace(' (assinatura)', ''));
      assert.equal(await page.locator('form').count(), 0);
      assert.equal(await page.getByText('Pagamento seguro').count(), 0, 'nothing is paid here');
      assert.deepEqual(await seriousViolations(page), []);
      assert.equal(await overflow(page), 0);
      const [, kind] = new URL(page.url()).pathname.split('/');
      if (title.includes('encontrad')) return;
      await page.getByText('Aurora Cursos').first().waitFor();
      if (kind === 'p' && title !== 'Pagamento devolvido') {
        await page.getByRole('link', { name: 'Tentar de novo' }).click();
        await page.getByRole('button', { name: 'Pagar' }).waitFor();
      }
    });
  }

  for (const javaScriptEnabled of [true, false]) {
    const scripts = javaScriptEnabled ? 'with' : 'without';
    test(`says that the last place was taken while the form was filled, ${scripts} scripts`, async () => {
      const link = await CheckoutPage.ofLink(site.shop, { max_payments: 1 });
      await using buyer = await site.atLink(link, { javaScriptEnabled });
      await buyer.contact();
      await link.paid(pixBody());
      await buyer.pay();
      await buyer.heading('Todas as vagas estão ocupadas');
      await buyer.page.getByText('Um pagamento em aberto ocupa a última vaga.').waitFor();
      const refresh = await buyer.page.locator('meta[http-equiv="refresh"]').count();
      assert.equal(refresh, javaScriptEnabled ? 0 : 1);
      assert.equal((await site.shop.get('/payments')).data.length, 1);
    });
  }

  test('is in English for a browser that prefers it', async () => {
    const link = await CheckoutPage.ofLink(site.shop);
    await using buyer = await site.atLink(link, { locale: 'en-GB' });
    await buyer.page.getByRole('button', { name: 'Pay R$159.90' }).waitFor();
    assert.equal(await buyer.page.locator('html').getAttribute('lang'), 'en');
  });
});

describe('the answer with a checkout page', () => {
  test('allows only what is ours, and is not stored', async () => {
    await using own = await startTestService({ jobs: false });
    const shop = await Shop.open(own);
    const link = await CheckoutPage.ofLink(shop);
    const offer = await CheckoutPage.ofOffer(shop);
    const plan = await CheckoutPage.ofOffer(shop, recurringOffer());
    const payment = await link.paid(pixBody());
    const subscription = await plan.subscribed(await plan.subscriptionBody());
    const pages = {
      l: link.hash,
      c: offer.hash,
      s: plan.hash,
      p: payment.hash,
      a: subscription.hash,
    };
    for (const [page, hash] of Object.entries(pages)) {
      const response = await fetch(`${own.url}/${page}/${hash}`);
      assert.equal(response.status, 200, page);
      const [, nonce] = /'nonce-([\w+/=]+)'/.exec(response.headers.get('content-security-policy')!)!;
      const policy = `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data:; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;
      const expected = {
        'content-security-policy': policy,
        'x-frame-options': 'DENY',
        'x-content-type-options': 'nosniff',
        'strict-transport-security': 'max-age=31536000; includeSubDomains',
        'cache-control': 'no-store',
        'referrer-policy': 'same-origin',
        'set-cookie': null,
      };
      for (const [name, value] of Object.entries(expected))
        assert.equal(response.headers.get(name), value, `${name} of /${page}`);
      assert.ok((await response.text()).includes(`<style nonce="${nonce}">`), page);
    }
  });

  test('shows texts of the merchant as text', async () => {
    await using own = await startTestService({ jobs: false });
    const attack = `</script><script>alert('1')</script><img src=x onerror="alert(1)">`;
    const shopOfAttacker = await Shop.open(own, { name: attack.slice(0, 60) });
    const link = await CheckoutPage.ofLink(shopOfAttacker, { title: attack, description: attack });
    const page = await (await fetch(`${own.url}/l/${link.hash}`)).text();
    assert.doesNotMatch(page, /<script>|<img/);
    assert.match(page, /&lt;img src=x onerror=&quot;alert\(1\)&quot;&gt;/);
  });

  test('has the limit of requests of the operations that it runs', async () => {
    await using own = await startTestService({ jobs: false });
    const shopOfOwn = await Shop.open(own);
    const { hash } = await CheckoutPage.ofLink(shopOfOwn);
    assert.equal((await fetch(`${own.url}/l/${hash}`)).status, 200);
    await useUpRequests(own, shopOfOwn.account);
    const answer = await fetch(`${own.url}/l/${hash}`);
    assert.equal(answer.status, 429);
    const wait_s = Number(answer.headers.get('retry-after'));
    assert.ok(wait_s >= 1 && wait_s <= 60, String(wait_s));
    assert.match(await answer.text(), /Muitos acessos/);
    const form = await fetch(`${own.url}/l/${hash}`, { method: 'POST' });
    assert.equal(form.status, 429);
    assert.ok(Number(form.headers.get('retry-after')) >= 1);
    assert.match(await form.text(), /recarregue esta página e confirme o envio do formulário/);
  });

  test('refuses a form of another origin', async () => {
    await using own = await startTestService({ jobs: false });
    const shopOfOwn = await Shop.open(own);
    const link = await CheckoutPage.ofLink(shopOfOwn);
    const body = new URLSearchParams({
      payment_method: 'pix',
      price: '15990',
      ...(customerBody() as Record<string, string>),
    });
    const send = (headers: Record<string, string>) =>
      fetch(`${own.url}/l/${link.hash}`, { method: 'POST', body, headers, redirect: 'manual' });
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.example.com' },
      { origin: 'null' },
    ] as Record<string, string>[]) {
      const refused = await send(headers);
      assert.equal(refused.status, 403, JSON.stringify(headers));
      assert.match(await refused.text(), /Página inválida/);
    }
    assert.equal((await shopOfOwn.get('/payments')).data.length, 0);
    const answer = await send({ origin: own.url });
    assert.equal(answer.status, 303, await answer.text());
    assert.match(answer.headers.get('location')!, /^\/p\/[a-z2-7]+$/);
  });
});
