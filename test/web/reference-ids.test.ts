/** What was made by trying a request in the reference is what the next request is about. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { startTestService, type TestService } from '../support/service.ts';
import { missingBrowser, openBrowser, watchedPage } from './support/chromium.ts';

describe('trying requests in the reference, one after another', { skip: missingBrowser() }, () => {
  let service: TestService;
  let browser: Browser;
  let page: Page;
  before(async () => {
    [service, browser] = await Promise.all([startTestService(), openBrowser()]);
    ({ page } = await watchedPage(browser, service.url));
    await page.goto(`${service.url}/docs/reference`);
    await page.getByRole('heading', { name: 'Rate limits' }).waitFor();
  });
  after(() => Promise.all([browser?.close(), service?.stop()]));

  /** Opens the form of an operation, by its method and path. */
  async function tryIt(operation: string, place: string): Promise<void> {
    await page.evaluate(`location.hash = ${JSON.stringify(`#tag/${place}`)}`);
    await page
      .locator('button')
      .filter({ hasText: `(${operation})` })
      .click();
    await sendButton().waitFor();
  }

  const sendButton = () => page.getByRole('button', { name: /^send/i }).first();

  /** Sends what the form holds; resolves to the answer. */
  async function send() {
    const answered = page.waitForResponse((response) => response.url().includes('/api/v1/'));
    await sendButton().click();
    const answer = await answered;
    // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came
    const sent = { status: answer.status(), url: answer.url(), body: (await answer.json()) as any };
    await page
      .getByText(/^20\d /)
      .first()
      .waitFor();
    return sent;
  }

  /** Puts a text in place of the body. The editor would complete what is typed. */
  async function writeBody(text: string): Promise<void> {
    await page.getByRole('textbox', { name: 'Body' }).focus();
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText(text);
  }

  async function close(): Promise<void> {
    await page.getByRole('button', { name: 'Close Client' }).click();
    await sendButton().waitFor({ state: 'hidden' });
  }

  const value = (name: string) =>
    page.getByRole('textbox', { name: `Value of ${name}`, exact: true }).innerText();

  test('a customer that was created is the one that is read', async () => {
    await tryIt('post /customers', 'customers/POST/customers');
    const { status, body } = await send();
    assert.equal(status, 201);
    await close();
    await tryIt('get /customers/{identifier}', 'customers/GET/customers/{identifier}');
    assert.equal(await value('identifier'), body.id);
    const read = await send();
    assert.deepEqual([read.status, read.body.email], [200, body.email]);
    await close();
    await tryIt('get /customers/{identifier}/cards', 'customers/GET/customers/{identifier}/cards');
    assert.equal(await value('identifier'), body.id);
    await close();
  });

  test('the payment of an order is read, simulated and refunded', async () => {
    await tryIt('post /charges/orders', 'orders/POST/charges/orders');
    const { status, body } = await send();
    assert.equal(status, 201);
    await close();
    await tryIt('get /payments/{identifier}', 'payments/GET/payments/{identifier}');
    assert.equal(await value('identifier'), body.payment.id);
    assert.equal((await send()).body.order_code, body.code);
    await close();
    await tryIt('post /sandbox/payments/{id}/simulate', 'sandbox/POST/sandbox/payments/{id}/simulate');
    assert.equal(await value('id'), body.payment.id);
    assert.equal((await send()).status, 200);
    await close();
    await tryIt('post /payments/{id}/refunds', 'payments/POST/payments/{id}/refunds');
    assert.equal(await value('id'), body.payment.id);
    await close();
  });

  test('the newest wins, and the sample beside an operation names it too', async () => {
    await tryIt('post /customers', 'customers/POST/customers');
    await writeBody('{"name": "Caio", "email": "caio@example.com"}');
    const { body } = await send();
    assert.equal(body.email, 'caio@example.com');
    await close();
    await tryIt('get /customers/{identifier}', 'customers/GET/customers/{identifier}');
    assert.equal(await value('identifier'), body.id);
    await close();
    await page
      .locator('main pre')
      .filter({ hasText: `/customers/${body.id}` })
      .first()
      .waitFor();
  });

  test('what is refused leaves the last one where it is', async () => {
    const before = (await service.call('GET', '/customers/caio@example.com', { key: await demoKey() })).body
      .id;
    await tryIt('post /customers', 'customers/POST/customers');
    await writeBody('{"name": "Caio", "email": "nobody"}');
    const answered = page.waitForResponse((response) => response.url().endsWith('/api/v1/customers'));
    await sendButton().click();
    assert.equal((await answered).status(), 422);
    await close();
    await tryIt('get /customers/{identifier}', 'customers/GET/customers/{identifier}');
    assert.equal(await value('identifier'), before);
    await close();
  });

  const demoKey = async () =>
    /pay_test_\w+/.exec(await (await fetch(`${service.url}/docs/demo.js`)).text())![0];
});
