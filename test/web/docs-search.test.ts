/** The search of the reference answers the words that a merchant's developer in Brazil types, in both languages. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Locator, Page } from 'playwright-core';
import { startTestService, type TestService } from '../support/service.ts';
import { missingBrowser, openBrowser, watchedPage } from './support/chromium.ts';

/** What a word finds first. */
const FIRST: Readonly<Record<string, string>> = {
  refund: 'Refund a payment',
  estorno: 'Refund a payment',
  reembolso: 'Refund a payment',
  devolução: 'Refund a payment',
  cancel: 'Cancel a payment',
  cancelamento: 'Cancel a payment',
  pix: 'Create an order by card or Pix',
  'qr code': 'Create an order by card or Pix',
  'copia e cola': 'Create an order by card or Pix',
  cobrança: 'Create an order by card or Pix',
  installment: 'Create an order by card or Pix',
  parcelas: 'Create an order by card or Pix',
  'cartão de crédito': 'Create an order by card or Pix',
  tokenize: 'Store a card',
  chargeback: 'List payments',
  'test card': 'Test values and scripts',
  'going live': 'Environments and going live',
  'rate limit': 'Rate limits',
  429: 'Rate limits',
  'x-request-id': 'Errors',
  antifraude: 'Fraud is suspected',
  'api key': 'API keys',
  idempotency_key_reused: 'Errors',
  idempotency_in_flight: 'Errors',
  invalid_encrypted_card: 'Errors',
  503: 'Errors',
  has_more: 'Pagination',
  sdk: 'Clients for partners',
  php: 'Clients for partners',
  kotlin: 'Clients for partners',
  criptografia: 'Card encryption',
  produção: 'Environments and going live',
  'cartão de teste': 'Test values and scripts',
  pedido: 'Create an order by card or Pix',
};

/** What a word finds among others. What the service cannot do yet, the docs say. */
const FOUND: readonly (readonly [string, string])[] = [
  ['boleto', 'Create an order by card or Pix'],
  ['boleto', 'Not yet: boleto'],
  ['apple pay', 'Not yet: boleto'],
  ['webhook', 'Not yet: webhook'],
  ['subscription', 'Not yet: subscriptions'],
  ['assinatura', 'Not yet: subscriptions'],
  ['recorrência', 'Not yet: subscriptions'],
  ['payment link', 'Not yet: subscriptions'],
  ['split', 'Not yet: split'],
  ['3ds', 'Not yet: 3-D Secure'],
  ['receipt', 'Not yet: 3-D Secure'],
  ['manual capture', 'Capture a payment'],
  ['expired', 'A payment expires'],
  ['idempotency', 'Idempotency and retries'],
  ['error', 'Errors'],
  ['validation_error', 'Errors'],
  ['overloaded', 'Errors'],
  ['stolen_card', 'Errors'],
  ['refund_denied', 'Test values and scripts'],
  ['unauthorized', 'Errors'],
  ['404', 'Errors'],
  ['duplicate', 'Idempotency and retries'],
  ['revoke', 'Authentication'],
  ['callback', 'Events'],
  ['mock', 'Test values and scripts'],
  ['pagamento', 'List payments'],
];

describe('the search of the reference', { skip: missingBrowser() }, () => {
  let service: TestService;
  let browser: Browser;
  let page: Page;
  before(async () => {
    [service, browser] = await Promise.all([startTestService(), openBrowser()]);
    ({ page } = await watchedPage(browser, service.url));
    await page.goto(`${service.url}/docs`);
    await page.getByRole('heading', { name: 'Rate limits' }).waitFor();
  });
  after(() => Promise.all([browser?.close(), service?.stop()]));

  /** The option must be there; what is found instead is told. */
  async function finds(word: string, option: Locator): Promise<void> {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox').fill(word);
    try {
      await option.waitFor({ timeout: 10_000 });
    } catch {
      assert.fail(`It finds ${JSON.stringify(await page.getByRole('option').allInnerTexts())}.`);
    } finally {
      await page.keyboard.press('Escape');
      await page.getByRole('combobox').waitFor({ state: 'hidden' });
    }
  }

  for (const [word, title] of Object.entries(FIRST))
    test(`${word}: first ${title}`, () =>
      finds(word, page.getByRole('option').first().filter({ hasText: title })));

  for (const [word, title] of FOUND)
    test(`${word}: ${title}`, () => finds(word, page.getByRole('option').filter({ hasText: title }).first()));
});
