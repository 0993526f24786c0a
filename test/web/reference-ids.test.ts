/** Forms and samples in the reference contain the ids of the records that were created last. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { startTestService, type TestService } from '../support/service.ts';
import { missingBrowser, openBrowser, watchedPage } from './support/chromium.ts';
import { shortenReference } from './support/short-reference.ts';

/** The renderer takes seconds to open a form, and longer when several browsers run. */
const OPENS_WITHIN_MS = 120_000;

const OPERATIONS = [
  'createCustomer',
  'getCustomer',
  'listCustomerCards',
  'getPayment',
  'createRefund',
  'simulatePayment',
];

describe('consecutive requests in the reference', { skip: missingBrowser() }, () => {
  let service: TestService;
  let browser: Browser;
  let page: Page;
  before(async () => {
    [service, browser] = await Promise.all([startTestService(), openBrowser()]);
    ({ page } = await watchedPage(browser, service.url));
    page.setDefaultTimeout(OPENS_WITHIN_MS);
    await shortenReference(page, OPERATIONS);
    await page.goto(`${service.url}/docs/reference`);
    await page.getByRole('heading', { name: 'Rate limits' }).waitFor();
  });
  after(() => Promise.all([browser?.close(), service?.stop()]));

  const sendButton = () => page.getByRole('button', { name: /^send/i }).first();
  const show = (place: string) => page.evaluate(`location.hash = ${JSON.stringify(`#tag/${place}`)}`);

  /** Opens the form of an operation at this place of the reference. */
  async function tryIt(place: string, operation: string): Promise<void> {
    await show(place);
    await page
      .locator('button')
      .filter({ hasText: `(${operation})` })
      .click();
    await sendButton().waitFor();
  }

  /** Sends the form and returns the answer. */
  async function send() {
    const answered = page.waitForResponse((response) => response.url().includes('/api/v1/'));
    await sendButton().click();
    const answer = await answered;
    await page
      .getByText(/^20\d /)
      .first()
      .waitFor();
    return { status: answer.status(), body: await answer.json() };
  }

  async function close(): Promise<void> {
    await page.getByRole('button', { name: 'Close Client' }).click();
    await sendButton().waitFor({ state: 'hidden' });
  }

  /** Sends a request from the page, as the form does, and returns the body of the answer. */
  const post = (path: string, body: unknown) =>
    page.evaluate(`(async () => {
      const headers = { Authorization: 'Bearer ' + ${JSON.stringify(service.merchant.apiKey)} };
      headers['Content-Type'] = 'application/json';
      const body = ${JSON.stringify(JSON.stringify(body))};
      return (await fetch('/api/v1${path}', { method: 'POST', headers, body })).json();
    })()`) as Promise<{ id: string; payment: { id: string } }>;

  /** Waits until the sample of an operation has this path. */
  async function sampleHasPath(place: string, path: string): Promise<void> {
    await show(place);
    await page
      .locator('main pre')
      .filter({ hasText: `/api/v1${path}` })
      .first()
      .waitFor();
  }

  test('the form for reading a customer has the id of the one that was created', async () => {
    await tryIt('customers/POST/customers', 'post /customers');
    const created = await send();
    assert.equal(created.status, 201);
    await close();
    await tryIt('customers/GET/customers/{identifier}', 'get /customers/{identifier}');
    const value = page.getByRole('textbox', { name: 'Value of identifier', exact: true });
    assert.equal(await value.innerText(), created.body.id);
    const read = await send();
    assert.deepEqual([read.status, read.body.email], [200, created.body.email]);
    await close();
  });

  test('samples for a payment have the id of the payment of the new order', async () => {
    const { payment } = await post('/charges/orders', {
      code: 'ids-1',
      mcc: '5734',
      customer: { name: 'Ana Souza', email: 'ids@example.com' },
      payment: { amount: 4990, payment_method: 'pix' },
    });
    await sampleHasPath('payments/GET/payments/{identifier}', `/payments/${payment.id}`);
    await sampleHasPath('payments/POST/payments/{identifier}/refunds', `/payments/${payment.id}/refunds`);
    await sampleHasPath(
      'sandbox/POST/sandbox/payments/{identifier}/simulate',
      `/sandbox/payments/${payment.id}/simulate`,
    );
  });

  test('samples have the id of the newest customer, also after a refused request', async () => {
    const { id } = await post('/customers', { name: 'Caio', email: 'caio@example.com' });
    await sampleHasPath('customers/GET/customers/{identifier}', `/customers/${id}`);
    await sampleHasPath('customers/GET/customers/{identifier}/cards', `/customers/${id}/cards`);
    assert.equal((await post('/customers', { name: 'Caio', email: 'nobody' })).id, undefined);
    await sampleHasPath('customers/GET/customers/{identifier}', `/customers/${id}`);
  });
});
