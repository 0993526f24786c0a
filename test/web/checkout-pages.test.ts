/** The pages where buyers pay, in a browser, by each payment method. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { changeMerchant } from '../../services/merchants/change-merchant.ts';
import { CheckoutPage } from '../support/pages/checkout-page.ts';
import { openLinkBody } from '../support/pages/link-bodies.ts';
import { receivedRequests } from '../support/pages/received-requests.ts';
import { assertAccessible } from './support/accessibility.ts';
import { ASSETS, CheckoutSite } from './support/checkout-site.ts';
import { missingBrowser, overflow, PHONE } from './support/chromium.ts';

const NO_FUNDS = '4000 0000 0000 9995';
const WRONG_CODE = '4000 0000 0000 0127';
const EXPIRED = '4000 0000 0000 0069';
const REFUSED_CPF = '999.900.002-98';

/** The ids of the fields that are marked as wrong. */
function markedFields(page: Page): Promise<string[]> {
  return page
    .locator('[aria-invalid="true"]')
    .evaluateAll((fields) => fields.map((field) => (field as unknown as { id: string }).id));
}

describe('the page of a payment link', { skip: missingBrowser() }, () => {
  const site = new CheckoutSite();

  async function payments() {
    return (await site.shop.get('/payments')).data;
  }

  test('takes a Pix on a phone: QR code, code to copy, countdown, and the confirmation without a reload', async () => {
    const link = await CheckoutPage.ofLink(site.shop, { brand_color: '#ffe600' });
    for (const colorScheme of ['light', 'dark'] as const) {
      await using buyer = await site.atLink(link, { screen: PHONE, colorScheme });
      const { page, watched } = buyer;
      await assertAccessible(page);
      assert.equal(await overflow(page), 0);
      await buyer.contact();
      await buyer.pay();
      await buyer.heading('Pague com Pix');
      await assertAccessible(page);
      assert.equal(await overflow(page), 0);

      const { pix } = await link.payment(buyer.paymentHash);
      assert.equal(
        await page.getByRole('img', { name: 'QR code do Pix' }).getAttribute('src'),
        pix.qr_code_image,
      );
      await page.locator('#left time', { hasText: /^(30|29):\d\d$/ }).waitFor();
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.getByRole('button', { name: 'Copiar código' }).click();
      await page.getByRole('button', { name: 'Código copiado' }).waitFor();
      assert.equal(await page.evaluate('navigator.clipboard.readText()'), pix.qr_code);

      const [payment] = await payments();
      await site.shop.simulate(payment.id, 'paid');
      await buyer.heading('Pagamento aprovado');
      assert.deepEqual(watched.outside, []);
      // The stream of events ends with the page.
      assert.deepEqual(
        watched.complaints.filter((line) => !line.endsWith('/events')),
        [],
      );
    }
  });

  test('has less than 60 KB, and no more than one style and two programs', async () => {
    const link = await CheckoutPage.ofLink(site.shop, {
      payment_methods: ['pix', 'credit_card', 'bank_slip'],
    });
    await site.assertSmall(`/l/${link.hash}`);
    await using buyer = await site.atLink(link);
    const loaded = await buyer.page.evaluate(
      'performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname)',
    );
    assert.deepEqual((loaded as string[]).sort(), ASSETS);
  });

  test('shows the confirmation of a Pix also if the stream of events is refused', async () => {
    const link = await CheckoutPage.ofLink(site.shop);
    await using buyer = await site.atLink(link);
    await buyer.page.route('**/events', (route) => route.fulfill({ status: 429, body: '{}' }));
    await buyer.contact();
    await buyer.pay();
    await buyer.heading('Pague com Pix');
    const [payment] = await payments();
    await site.shop.simulate(payment.id, 'paid');
    await buyer.heading('Pagamento aprovado');
  });

  test('charges a card in installments with interest, and shows the interest before', async () => {
    await changeMerchant(site.service.deps, site.shop.account, { installmentInterest: { 2: 200, 3: 350 } });
    const link = await CheckoutPage.ofLink(site.shop, {
      amount: 10_000,
      max_installments: 3,
      interest_mode: 'installments',
      interest_free_installments: 1,
    });
    await using buyer = await site.atLink(link);
    const { page } = buyer;
    await buyer.contact();
    await buyer.choose('Cartão de crédito');
    await buyer.card();
    await page.getByText('Visa', { exact: true }).waitFor();
    await page
      .getByLabel('Parcelas')
      .selectOption({ label: '2x de R$\u00a051,00 com juros, total R$\u00a0102,00' });
    assert.match(
      (await page.locator('#totals').innerText()).replaceAll('\u00a0', ' '),
      /R\$ 2,00[\s\S]*R\$ 102,00/,
    );
    await page.getByRole('button', { name: 'Pagar R$\u00a0102,00' }).waitFor();
    await assertAccessible(page);
    await buyer.pay();
    await buyer.heading('Pagamento aprovado');
    await page.getByText('Visa •••• 4242').waitFor();
    const [payment] = await payments();
    assert.deepEqual(
      [payment.amount, payment.interest_amount, payment.installments, payment.status],
      [10_200, 200, 2, 'paid'],
    );
  });

  test('never sends a card in plain text: no request that the server receives has the number or the code', async () => {
    const link = await CheckoutPage.ofLink(site.shop, { payment_methods: ['credit_card', 'debit_card'] });
    using received = receivedRequests(site.service.url);
    await using buyer = await site.atLink(link);
    await buyer.contact();
    await buyer.card();
    await buyer.choose('Cartão de débito');
    await buyer.pay();
    await buyer.heading('Pagamento aprovado');
    assert.equal((await payments())[0].payment_method, 'debit_card');
    const texts = received.texts();
    assert.ok(
      texts.some((text) => text.includes('"encrypted"')),
      'the payment is among the requests',
    );
    for (const text of texts) assert.doesNotMatch(text, /4242|0839|08\/39|securityCode/);
  });

  test('explains a refused card and marks the field that is wrong, and another card pays', async () => {
    const link = await CheckoutPage.ofLink(site.shop, { max_installments: 3 });
    await using buyer = await site.atLink(link, { screen: PHONE });
    const { page } = buyer;
    await buyer.contact();
    await page.getByRole('radio', { name: 'Cartão de crédito em até 3x' }).check();
    const most = page.getByText('em até 3x');
    assert.equal(await most.evaluate((text) => text.getClientRects().length), 1, 'on one line');
    assert.equal(await page.getByLabel('Parcelas').isVisible(), true);
    const refusals = [
      [NO_FUNDS, 'O cartão não tem saldo ou limite suficiente.', []],
      [WRONG_CODE, 'O código de segurança não confere.', ['card-code', 'Confira o código de segurança.']],
      [EXPIRED, 'O cartão está vencido.', ['card-expiry', 'Este cartão está vencido.']],
    ] as const;
    for (const [number, sentence, [field, problem]] of refusals) {
      await buyer.card(number);
      await buyer.pay();
      await page.getByRole('alert').getByText(sentence).waitFor();
      assert.deepEqual(await markedFields(page), field === undefined ? [] : [field]);
      if (field === undefined) continue;
      assert.equal(await page.locator(`#${field}-problem`).innerText(), problem);
      assert.equal(await page.evaluate('document.activeElement.id'), field);
      await assertAccessible(page);
    }
    await buyer.card();
    await buyer.pay();
    await buyer.heading('Pagamento aprovado');
    const refused = refusals.map(() => 'refused');
    assert.deepEqual(
      (await payments()).map(({ status }: { status: string }) => status),
      ['paid', ...refused],
    );
  });

  test('marks every field that is empty or wrong, and explains it', async () => {
    const link = await CheckoutPage.ofLink(site.shop, {
      payment_methods: ['credit_card', 'bank_slip'],
      collect_phone: true,
    });
    await using buyer = await site.atLink(link);
    const { page } = buyer;
    await page.getByLabel('Número do cartão').fill('4242 4242 4242 4241');
    await buyer.pay();
    await page.getByText('Confira os campos destacados.').waitFor();
    assert.deepEqual(await markedFields(page), [
      'email',
      'name',
      'phone',
      'card-number',
      'card-expiry',
      'card-code',
      'card-holder',
      'postal_code',
      'street',
      'number',
      'neighborhood',
      'city',
      'state',
    ]);
    assert.equal(await page.evaluate('document.activeElement.id'), 'email');
    await assertAccessible(page);
    assert.deepEqual(await payments(), []);
  });

  test('takes a boleto: line to copy, and the PDF', async () => {
    const link = await CheckoutPage.ofLink(site.shop, { payment_methods: ['bank_slip'] });
    await using buyer = await site.atLink(link, { screen: PHONE });
    const { page } = buyer;
    await buyer.contact();
    await page.getByLabel('CPF ou CNPJ').fill('52998224726');
    await buyer.address();
    await buyer.pay();
    await page.getByText('Digite um CPF ou CNPJ válido.').waitFor();
    await page.getByLabel('CPF ou CNPJ').fill('52998224725');
    await buyer.pay();
    await buyer.heading('Seu boleto está pronto');
    await assertAccessible(page);
    assert.equal(await overflow(page), 0);
    const { bank_slip } = await link.payment(buyer.paymentHash);
    const line = await page.getByLabel('Código de barras').inputValue();
    assert.equal(line.replaceAll(/\D/g, ''), bank_slip.digitable_line);
    const href = await page.getByRole('link', { name: 'Abrir boleto em PDF' }).getAttribute('href');
    const pdf = await fetch(site.service.url + href);
    assert.equal(pdf.headers.get('content-type'), 'application/pdf');
    await pdf.arrayBuffer();
  });

  test('does not speak of a card if a boleto is refused', async () => {
    const link = await CheckoutPage.ofLink(site.shop, { payment_methods: ['bank_slip'] });
    await using buyer = await site.atLink(link);
    await buyer.contact();
    await buyer.page.getByLabel('CPF ou CNPJ').fill(REFUSED_CPF);
    await buyer.address();
    await buyer.pay();
    await buyer.page.getByRole('alert').getByText('O banco não aceitou este boleto.').waitFor();
    assert.equal((await payments())[0].status, 'refused');
  });

  test('lets the buyer type the amount, and offers installments for it', async () => {
    const link = await CheckoutPage.ofLink(site.shop, openLinkBody({ max_installments: 2 }));
    await using buyer = await site.atLink(link);
    const { page } = buyer;
    await buyer.contact();
    await page.getByLabel('Valor').fill('4,99');
    await buyer.pay();
    await page.getByText('Digite um valor de R$ 5,00 ou mais, como 50,00.').waitFor();
    await page.getByLabel('Valor').fill('1.234,5');
    assert.equal(await page.getByLabel('Valor').getAttribute('maxlength'), '24');
    await buyer.choose('Cartão de crédito');
    await page
      .getByLabel('Parcelas')
      .selectOption({ label: '2x de R$\u00a0617,25 sem juros, total R$\u00a01.234,50' });
    await buyer.card();
    await page.getByRole('button', { name: 'Pagar R$\u00a01.234,50' }).click();
    await buyer.heading('Pagamento aprovado');
    assert.equal((await payments())[0].amount, 123_450);
  });
});
