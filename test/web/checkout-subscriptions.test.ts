/** The pages where buyers subscribe, in a browser. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { customerBody } from '../support/orders/parties.ts';
import { CheckoutPage } from '../support/pages/checkout-page.ts';
import { recurringOffer } from '../support/pages/offer-bodies.ts';
import { assertAccessible } from './support/accessibility.ts';
import type { Buyer, BuyerOptions } from './support/buyer.ts';
import { CheckoutSite } from './support/checkout-site.ts';
import { missingBrowser, overflow, PHONE } from './support/chromium.ts';

const NO_FUNDS = '4000 0000 0000 9995';
/** Approved 10 seconds later, by notification. */
const LATE = '4000 0000 0000 1133';

describe('the page of a subscription', { skip: missingBrowser() }, () => {
  const site = new CheckoutSite();

  const ofOffer = (fields: object = {}) => CheckoutPage.ofOffer(site.shop, recurringOffer(fields));
  const ofLink = (fields: object = {}) =>
    CheckoutPage.ofLink(site.shop, {
      title: 'Clube de fotografia',
      amount: 4_990,
      recurrence_interval: 'monthly',
      payment_methods: ['credit_card'],
      ...fields,
    });
  const atOffer = ({ hash }: CheckoutPage, options?: BuyerOptions) => site.at(`/s/${hash}`, options);
  const subscribe = ({ page }: Buyer) => page.getByRole('button', { name: /Assinar|Começar/ }).click();
  const subscriptions = async () => (await site.shop.get('/subscriptions')).data;

  /** A day that many days from now in São Paulo, as the page writes it. */
  const dayIn = (days: number) =>
    new Date(Date.now() + days * 86_400_000).toLocaleDateString('pt-BR', { timeZone: 'America/Sao_Paulo' });

  test('shows all prices, their dates and the free days before a trial starts, on a phone', async () => {
    const offer = await ofOffer();
    for (const colorScheme of ['light', 'dark'] as const) {
      await using buyer = await atOffer(offer, { screen: PHONE, colorScheme });
      const { page, watched } = buyer;
      const terms = page.locator('.terms');
      const [today, later] = await terms.locator('dt').allTextContents();
      assert.deepEqual([today, later], ['Hoje', `A partir de ${dayIn(7)}`]);
      assert.deepEqual(
        (await terms.locator('dd').allTextContents()).map((text) => text.replaceAll('\u00a0', ' ')),
        ['grátis', 'R$ 29,90 por mês', 'R$ 49,90 por mês'],
      );
      await page.getByText('você autoriza Aurora Cursos a cobrar o seu cartão depois').waitFor();
      await page.getByText('Para cancelar, fale com Aurora Cursos').waitFor();
      await assertAccessible(page);
      assert.equal(await overflow(page), 0);
      await buyer.contact();
      await buyer.card();
      await subscribe(buyer);
      await buyer.heading('Seu período grátis começou');
      await page.getByText(`em ${dayIn(7)}`).waitFor();
      await page.getByText('Visa •••• 4242').waitFor();
      await assertAccessible(page);
      assert.equal(await overflow(page), 0);
      assert.deepEqual([watched.outside, watched.complaints], [[], []]);
    }
    assert.deepEqual(
      (await subscriptions()).map(({ status }: { status: string }) => status),
      ['trial_started', 'trial_started'],
    );
  });

  test('charges the card at once without a trial, and shows the next charge', async () => {
    const link = await ofLink();
    await using buyer = await site.atLink(link);
    await buyer.contact();
    await buyer.card();
    await buyer.page.getByRole('button', { name: 'Assinar e pagar R$\u00a049,90' }).click();
    await buyer.heading('Assinatura ativa');
    await buyer.page.getByText('Próxima cobrança').waitFor();
    const [subscription] = await subscriptions();
    assert.equal(new URL(buyer.page.url()).pathname, `/a/${subscription.code}`);
    await site.shop.post('/subscriptions/cancel', { id: subscription.id });
    await buyer.page.reload();
    await buyer.heading('Assinatura cancelada');
    await buyer.page.getByText('Acesso até').waitFor();
  });

  test('explains a refused card, and takes another one, by the keyboard alone', async () => {
    const link = await ofLink();
    await using buyer = await site.atLink(link);
    const { page } = buyer;
    await buyer.contact();
    await buyer.card(NO_FUNDS);
    await page.keyboard.press('Enter');
    await page.getByText('O cartão não tem saldo ou limite suficiente.').waitFor();
    await page.getByLabel('Número do cartão').focus();
    await page.keyboard.press('Control+A');
    await page.keyboard.type('4242424242424242');
    await page.keyboard.press('Enter');
    await buyer.heading('Assinatura ativa');
    assert.deepEqual(
      (await subscriptions()).map(({ status }: { status: string }) => status),
      ['active', 'ended'],
    );
  });

  test('subscribes once by a double click, and says so if the buyer comes back', async () => {
    const link = await ofLink();
    await using buyer = await site.atLink(link);
    const { page } = buyer;
    const { email } = customerBody() as { email: string };
    const typed = async () => {
      await page.getByLabel('E-mail').fill(email);
      await page.getByLabel('Nome completo').fill('Bia Lima');
      await buyer.card();
    };
    await typed();
    await page.getByRole('button', { name: 'Assinar' }).dblclick();
    await buyer.heading('Assinatura ativa');
    await page.goto(`${site.service.url}/l/${link.hash}`);
    await typed();
    await subscribe(buyer);
    await page.getByText('Você já tem esta assinatura com este cartão.').waitFor();
    assert.equal((await subscriptions()).length, 1);
  });

  test('shows new terms before the buyer agrees to them, and keeps what was typed', async () => {
    const offer = await ofOffer({ trial_days: undefined });
    await using buyer = await atOffer(offer);
    const { page } = buyer;
    await buyer.contact();
    await buyer.card();
    const cycles = [{ start: 1, end: null, amount: 7_700 }];
    await site.shop.call('PUT', `/product-offers/${offer.id}`, { body: { cycles } });
    await subscribe(buyer);
    await page.getByText('O preço mudou.').waitFor();
    assert.equal((await subscriptions()).length, 0);
    assert.equal(await page.locator('.terms dd').count(), 1);
    await page.getByRole('button', { name: 'Assinar e pagar R$\u00a077,00' }).click();
    await buyer.heading('Assinatura ativa');
  });

  test('waits for a first charge whose outcome is not known yet, and then shows the subscription', async () => {
    const link = await ofLink();
    await using buyer = await site.atLink(link);
    await buyer.contact();
    await buyer.card(LATE);
    await subscribe(buyer);
    await buyer.heading('Processando o pagamento');
    await assertAccessible(buyer.page);
    site.service.setAhead(11_000);
    await buyer.heading('Assinatura ativa');
    site.service.setAhead(0);
  });

  test('is in English for a browser that prefers it, and sends receipts in English', async () => {
    const link = await ofLink({ send_email_receipt: true });
    await using buyer = await site.atLink(link, { locale: 'en-GB' });
    const { page } = buyer;
    await page.getByLabel('Email').fill('bia@example.com');
    await page.getByLabel('Full name').fill('Bia Lima');
    await page.getByLabel('Card number').fill('4242424242424242');
    await page.getByLabel('Expiry date').fill('0839');
    await page.getByLabel('Code (CVV)').fill('123');
    await page.getByLabel('Name on the card').fill('BIA LIMA');
    await page.getByText('you allow Aurora Cursos to charge your card now').waitFor();
    await page.getByRole('button', { name: 'Subscribe and pay R$49.90' }).click();
    await buyer.heading('You are subscribed');
    const { data } = await site.shop.get('/sandbox/emails');
    assert.partialDeepStrictEqual(data, [{ to: 'bia@example.com', language: 'en' }]);
  });

  test('has less than 60 KB, and says without scripts that a card needs them', async () => {
    const offer = await ofOffer();
    await site.assertSmall(`/s/${offer.hash}`);
    await using buyer = await atOffer(offer, { javaScriptEnabled: false });
    await buyer.contact();
    await subscribe(buyer);
    await buyer.page.locator('#failure', { hasText: 'precisa de JavaScript' }).waitFor();
    // There is no other method that the buyer could choose.
    const text = await buyer.page.locator('main').innerText();
    assert.match(text, /Ative o JavaScript no navegador\./);
    assert.doesNotMatch(text, /outra forma|Escolha uma forma/);
  });
});
