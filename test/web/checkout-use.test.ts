/** The pages where buyers pay: what they show, on the smallest phones too, and their use with the keyboard only. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { ADDRESS, customerBody } from '../support/orders/parties.ts';
import { CheckoutPage, DOCUMENTS, pixBody } from '../support/pages/checkout-page.ts';
import { Shop } from '../support/shop.ts';
import { assertAccessible } from './support/accessibility.ts';
import { CheckoutSite } from './support/checkout-site.ts';
import { DESKTOP, missingBrowser, overflow, PHONE, type Screen } from './support/chromium.ts';

const SMALLEST: Screen = { width: 320, height: 568 };
const LARGEST_CENTAVOS = 99_999_999;
const LONG_WORD = 'Desoxirribonucleicoetilenodiaminotetracético';

/** The vertical place of the first element of a selector. */
async function topOf(page: Page, selector: string): Promise<number> {
  const box = await page.locator(selector).first().boundingBox();
  assert.ok(box !== null, selector);
  return box.y;
}

/** The lines of the value of the receipt that has most. */
function mostLines(page: Page): Promise<number> {
  return page.evaluate(`Math.max(...[...document.querySelectorAll('.facts dd')].map((value) =>
    Math.round(value.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(value).lineHeight))))`);
}

async function receipt(page: Page): Promise<string> {
  return (await page.locator('.facts').innerText()).replaceAll('\u00a0', ' ');
}

describe('the pages of a buyer', { skip: missingBrowser() }, () => {
  const site = new CheckoutSite();

  test('the receipt of a card has its installments and the text on the statement', async () => {
    const link = await CheckoutPage.ofLink(site.shop, {
      amount: 12_000,
      max_installments: 3,
      soft_descriptor: 'AURORA OFICINA',
    });
    await using buyer = await site.atLink(link, { screen: SMALLEST });
    const { page } = buyer;
    await buyer.contact();
    await buyer.choose('Cartão de crédito');
    await page
      .getByLabel('Parcelas')
      .selectOption({ label: '3x de R$\u00a040,00 sem juros, total R$\u00a0120,00' });
    await buyer.card();
    await buyer.pay();
    await buyer.heading('Pagamento aprovado');
    assert.match(await receipt(page), /Parcelas\s+3x de R\$ 40,00 sem juros/);
    assert.ok((await mostLines(page)) <= 2);
    assert.match(await receipt(page), /Na fatura\s+AURORA OFICINA/);
    await assertAccessible(page);
    assert.equal(await overflow(page), 0);
  });

  test('a Pix has the code to copy before the QR code on a phone, and the QR code first on a wide screen', async () => {
    const link = await CheckoutPage.ofLink(site.shop);
    for (const screen of [SMALLEST, DESKTOP]) {
      await using buyer = await site.atLink(link, { screen });
      await buyer.contact();
      await buyer.pay();
      await buyer.heading('Pague com Pix');
      const [copy, code] = [await topOf(buyer.page, '.copy'), await topOf(buyer.page, '.qr')];
      assert.equal(copy < code, screen === SMALLEST, `${screen.width}: ${copy}, ${code}`);
      assert.equal(await overflow(buyer.page), 0);
    }
  });

  test('the countdown of a Pix counts down to zero', async () => {
    const link = await CheckoutPage.ofLink(site.shop);
    const { hash } = await link.paid(pixBody());
    await using buyer = await site.at(`/p/${hash}`);
    const { page } = buyer;
    await page.clock.install();
    await page.reload();
    const time = page.locator('#left time', { hasText: /^\d\d:\d\d$/ });
    const left_s = async () => {
      const [minutes, seconds] = (await time.innerText()).split(':').map(Number);
      return minutes! * 60 + seconds!;
    };
    await time.waitFor();
    await page.clock.pauseAt(Date.now() + 10_000);
    const before_s = await left_s();
    assert.ok(before_s > 28 * 60 && before_s < 30 * 60, String(before_s));
    await page.clock.runFor(90_000);
    assert.equal(await left_s(), before_s - 90);
    await page.clock.fastForward(30 * 60_000);
    assert.equal(await left_s(), 0);
  });

  test('an offer is paid at its page', async () => {
    const offer = await CheckoutPage.ofOffer(site.shop);
    await using buyer = await site.at(`/c/${offer.hash}`, { screen: PHONE });
    const { page } = buyer;
    await page.getByText('À vista').first().waitFor();
    await assertAccessible(page);
    await buyer.contact();
    await buyer.choose('Cartão de crédito');
    await buyer.card();
    await page.getByRole('button', { name: 'Pagar R$\u00a0499,00' }).click();
    await buyer.heading('Pagamento aprovado');
    const [payment, ...others] = (await site.shop.get('/payments')).data;
    const { status, amount, payment_method, offer_id } = payment;
    assert.deepEqual([status, amount, payment_method, offer_id], ['paid', 49_900, 'credit_card', offer.id]);
    assert.deepEqual(others, []);
    await buyer.page.goto(`${site.service.url}/c/${offer.hash}`);
    await page.getByRole('button', { name: 'Pagar R$\u00a0499,00' }).waitFor();
  });

  test('the line of a boleto is copied by its button', async () => {
    const link = await CheckoutPage.ofLink(site.shop, { payment_methods: ['bank_slip'] });
    const customer = customerBody({ documents: DOCUMENTS, addresses: [ADDRESS] });
    const { hash, bank_slip } = await link.paid({ payment_method: 'bank_slip', customer });
    await using buyer = await site.at(`/p/${hash}`);
    const { page } = buyer;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copiar código' }).click();
    await page.getByRole('button', { name: 'Código copiado' }).waitFor();
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), bank_slip.digitable_line);
  });

  test('a boleto says in steps how it is paid', async () => {
    const link = await CheckoutPage.ofLink(site.shop, { payment_methods: ['bank_slip'] });
    await using buyer = await site.atLink(link, { screen: SMALLEST });
    await buyer.contact();
    await buyer.page.getByLabel('CPF ou CNPJ').fill('52998224725');
    await buyer.address();
    await buyer.pay();
    await buyer.heading('Seu boleto está pronto');
    assert.equal(await buyer.page.locator('.steps li').count(), 3);
    assert.equal(await overflow(buyer.page), 0);
  });

  test('long words and the largest amount need no sideways scrolling', async () => {
    const long = await Shop.open(site.service, { name: `${LONG_WORD} ${LONG_WORD}` });
    const link = await CheckoutPage.ofLink(long, {
      title: LONG_WORD,
      description: `${LONG_WORD} ${'https://example.com/'.repeat(4)}`,
      amount: LARGEST_CENTAVOS,
      max_installments: 12,
      payment_methods: ['credit_card', 'pix', 'bank_slip'],
    });
    for (const locale of ['pt-BR', 'en-US']) {
      await using buyer = await site.atLink(link, { screen: SMALLEST, locale });
      const { page } = buyer;
      assert.equal(await overflow(page), 0);
      await page.locator('#installments').selectOption('12');
      assert.equal(await overflow(page), 0);
      assert.deepEqual(await wider(page), []);
    }
  });

  test('a payment is confirmed also if the stream of events is open and silent', async () => {
    const link = await CheckoutPage.ofLink(site.shop);
    for (const occasion of ['time', 'visibility']) {
      await using buyer = await site.atLink(link);
      const { page } = buyer;
      await page.clock.install();
      await page.route('**/events', () => {});
      await buyer.contact();
      await buyer.pay();
      await buyer.heading('Pague com Pix');
      const [payment] = (await site.shop.get('/payments')).data;
      await site.shop.simulate(payment.id, 'paid');
      if (occasion === 'time') await page.clock.fastForward(5_100);
      else await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
      await buyer.heading('Pagamento aprovado');
    }
  });

  test('a page of a server that does not name the field of the code is loaded again only when the payment changes', async () => {
    const link = await CheckoutPage.ofLink(site.shop);
    await using buyer = await site.atLink(link);
    const { page } = buyer;
    let loads = 0;
    await page.route('**/p/*', async (route) => {
      loads += 1;
      const response = await route.fetch();
      const body = (await response.text()).replace(/ data-code-field="[^"]*"/, '');
      await route.fulfill({ response, body });
    });
    await buyer.contact();
    await buyer.pay();
    await buyer.heading('Pague com Pix');
    const read = page.waitForResponse('**/api/v1/checkout/payments/*');
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await (await read).finished();
    const [payment] = (await site.shop.get('/payments')).data;
    await site.shop.simulate(payment.id, 'paid');
    await buyer.heading('Pagamento aprovado');
    assert.equal(loads, 2);
  });

  test('a code that cannot be copied is selected', async () => {
    const link = await CheckoutPage.ofLink(site.shop);
    await using buyer = await site.atLink(link, { screen: SMALLEST });
    const { page } = buyer;
    await buyer.contact();
    await buyer.pay();
    await buyer.heading('Pague com Pix');
    await page.evaluate("navigator.clipboard.writeText = () => Promise.reject(new Error('refused'))");
    await page.getByRole('button', { name: 'Copiar código' }).click();
    await page.getByRole('button', { name: 'Selecionado: copie com Ctrl+C' }).waitFor();
    assert.match(await page.evaluate('getSelection().toString()'), /^000201/);
  });

  test('a card is paid with the keyboard only', async () => {
    const link = await CheckoutPage.ofLink(site.shop, {
      amount: 12_000,
      max_installments: 3,
      payment_methods: ['pix', 'credit_card'],
    });
    await using buyer = await site.atLink(link);
    const { keyboard } = buyer.page;
    const fill = async (id: string, text: string) => {
      await keyboard.press('Tab');
      assert.equal(await buyer.page.evaluate('document.activeElement.id'), id);
      await keyboard.type(text);
    };
    await fill('email', 'bia@example.com');
    await fill('name', 'Bia Lima');
    await fill('method-pix', '');
    await keyboard.press('ArrowDown');
    assert.equal(await buyer.page.evaluate('document.activeElement.id'), 'method-credit_card');
    await fill('card-number', '4242424242424242');
    await fill('card-expiry', '0839');
    await fill('card-code', '123');
    await fill('card-holder', 'BIA LIMA');
    await fill('installments', '3');
    await keyboard.press('Tab');
    await keyboard.press('Enter');
    await buyer.heading('Pagamento aprovado');
    assert.match(await receipt(buyer.page), /3x de R\$ 40,00/);
  });
});

/** The texts that are wider than the screen, and so cut off. */
function wider(page: Page): Promise<string[]> {
  return page.evaluate(`[...document.querySelectorAll('h1, p, dt, dd, strong, button, label')]
    .filter((box) => box.checkVisibility() && box.getBoundingClientRect().right > innerWidth)
    .map((box) => box.textContent.slice(0, 40))`);
}
