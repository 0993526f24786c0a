import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { startTestService } from '../support/service.ts';
import { missingBrowser, openBrowser, watchedPage } from './support/chromium.ts';

const GUIDE = join(import.meta.dirname, '../../web/guides/35-card-encryption.md');
const FIELDS = {
  number: '4111 1111 1111 1111',
  holder: 'ANA SOUZA',
  expMonth: '03',
  expYear: '39',
  securityCode: '123',
};

test('the page of the guide shows errors until the card is valid, and then encrypts it', {
  skip: missingBrowser(),
}, async () => {
  await using service = await startTestService();
  const browser = await openBrowser();
  const { body: key } = await service.call('GET', '/cards/encryption-key');
  const sample = /```html\n(.*?)```/s.exec(readFileSync(GUIDE, 'utf8'))![1]!;
  const script = sample
    .replace('https://YOUR-CENTAVO-HOST', service.url)
    .replace('{ /* the answer of GET /cards/encryption-key */ }', JSON.stringify(key));
  const inputs = Object.keys(FIELDS).map((name) => `<input name="${name}" aria-label="${name}">`);
  const payments: string[] = [];
  const answers = [503, 200];
  const shop = createServer(async (request, response) => {
    if (request.method === 'POST') {
      payments.push(await text(request));
      return response.writeHead(answers.shift()!).end();
    }
    response.setHeader('Content-Type', 'text/html');
    const shown = request.url === '/wrong-key' ? script.replace(JSON.stringify(key), '{}') : script;
    response.end(`<!doctype html><link rel="icon" href="data:,"><title>Shop</title>
      <form>${inputs.join('')}<button>Pay</button></form>${shown}`);
  });
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
  try {
    const home = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
    const { page, complaints } = await watchedPage(browser, home);
    await page.clock.setFixedTime('2030-06-15T12:00:00Z');
    await page.goto(home);
    for (const [name, value] of Object.entries(FIELDS))
      await page.getByLabel(name, { exact: true }).fill(value);
    const fill = (name: string, value: string) => page.getByLabel(name, { exact: true }).fill(value);
    const pay = page.getByRole('button', { name: 'Pay' });
    // An error about two fields is shown at one of them, and can be fixed in the other.
    for (const [wrong, where, value] of [
      ['number', 'number', '4111 1111 1111 1112'],
      ['expYear', 'expMonth', '30'],
      ['number', 'securityCode', '3782 822463 10005'],
    ] as const) {
      await fill(wrong, value);
      await pay.click();
      await page.locator(`input[name=${where}]:invalid`).waitFor();
      await fill(wrong, FIELDS[wrong]);
      assert.equal(await page.locator('input:invalid').count(), 0, where);
    }
    const message = page.waitForEvent('dialog').then(async (dialog) => {
      await dialog.accept();
      return dialog.message();
    });
    await pay.dblclick();
    assert.match(await message, /try again/i);
    // As a script of the shop's may send it, with no button pressed.
    await page.evaluate(`document.querySelector('form').requestSubmit()`);
    await page.waitForURL('**/thank-you');
    assert.equal(payments.length, 2);
    const encrypted = payments[1];
    const customer = await service.call('POST', '/customers', {
      body: { name: 'Ana', email: 'ana@example.com' },
    });
    const card = await service.call('POST', '/cards', { body: { customer_id: customer.body.id, encrypted } });
    assert.deepEqual([card.status, card.body.last_4], [201, '1111']);
    // The browser reports the failed request, and answers whose body is not read.
    const ofPayment = /503|^failed .*\/pay$/;
    const others = complaints.filter((complaint) => !ofPayment.test(complaint));
    assert.deepEqual(others, []);
    // A mistake of the shop is reported to its developer.
    await page.goto(`${home}/wrong-key`);
    for (const [name, value] of Object.entries(FIELDS)) await fill(name, value);
    page.once('dialog', (dialog) => dialog.accept());
    const mistake = page.waitForEvent('console', {
      predicate: (message) => message.text().includes('EncryptionSetupError'),
      timeout: 120_000,
    });
    await pay.click();
    await mistake;
  } finally {
    shop.close();
    await browser.close();
  }
});
