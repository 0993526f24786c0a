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
  expMonth: '12',
  expYear: '39',
  securityCode: '123',
};

test('the page that the guide shows encrypts what is entered, and says what is wrong until it is right', {
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
  let paid: (body: string) => void = () => {};
  const payment = new Promise<string>((resolve) => {
    paid = resolve;
  });
  const shop = createServer(async (request, response) => {
    if (request.method === 'POST') paid(await text(request));
    response.setHeader('Content-Type', 'text/html');
    response.end(`<!doctype html><link rel="icon" href="data:,"><title>Shop</title>
      <form>${inputs.join('')}<button>Pay</button></form>${script}`);
  });
  await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
  try {
    const home = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
    const { page, complaints } = await watchedPage(browser, home);
    await page.goto(home);
    for (const [name, value] of Object.entries(FIELDS))
      await page.getByLabel(name, { exact: true }).fill(value);
    const number = page.getByLabel('number', { exact: true });
    await number.fill('4111 1111 1111 1112');
    await page.getByRole('button', { name: 'Pay' }).click();
    await page.locator('input[name=number]:invalid').waitFor();
    await number.fill(FIELDS.number);
    await page.getByRole('button', { name: 'Pay' }).click();
    const encrypted = await payment;
    const customer = await service.call('POST', '/customers', {
      body: { name: 'Ana', email: 'ana@example.com' },
    });
    const card = await service.call('POST', '/cards', { body: { customer_id: customer.body.id, encrypted } });
    assert.deepEqual([card.status, card.body.last_4], [201, '1111']);
    assert.deepEqual(complaints, []);
  } finally {
    shop.close();
    await browser.close();
  }
});
