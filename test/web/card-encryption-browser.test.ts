import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { startTestService, type TestService } from '../support/service.ts';
import vector from '../vectors/card-encryption.json' with { type: 'json' };
import { missingBrowser, openBrowser, watchedPage } from './support/chromium.ts';

declare const Centavo: typeof import('../../web/card-encryption/index.ts');

const CARD = {
  number: '5555 5555 5555 4444',
  holder: 'JOSÉ DA SILVA',
  expMonth: '08',
  expYear: '39',
  securityCode: '123',
};

describe('/lib/centavo.js in a browser', { skip: missingBrowser() }, () => {
  let service: TestService;
  let browser: Browser;
  before(async () => {
    [service, browser] = await Promise.all([startTestService(), openBrowser()]);
  });
  after(() => Promise.all([browser?.close(), service?.stop()]));

  async function store(encrypted: string) {
    const body = { name: 'José', email: `jose-${randomUUID()}@example.com` };
    const customer = await service.call('POST', '/customers', { body });
    return service.call('POST', '/cards', { body: { customer_id: customer.body.id, encrypted } });
  }

  test('a page of another origin can load it, as script and as module, and the service accepts both forms', async () => {
    // Browsers give cryptography to pages of localhost, as to those of https.
    const shop = createServer((_request, response) => {
      response.setHeader('Content-Type', 'text/html');
      response.end('<!doctype html><link rel="icon" href="data:,"><title>Shop</title>');
    });
    await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
    try {
      const home = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
      const { page, complaints, outside } = await watchedPage(browser, home);
      await page.goto(home);
      await page.addScriptTag({ url: `${service.url}/lib/centavo.js` });
      const { body: key } = await service.call('GET', '/cards/encryption-key');
      for (const secret of [key, key.jwk, service.merchant.encryptionKey]) {
        const encrypted = await page.evaluate(([card, k]) => Centavo.encryptCard(card, k), [
          CARD,
          secret,
        ] as const);
        assert.equal(encrypted.split('.').length, typeof secret === 'string' ? 1 : 5);
        const { status, body } = await store(encrypted);
        assert.equal(status, 201);
        assert.deepEqual([body.brand, body.last_4, body.holder], ['mastercard', '4444', CARD.holder]);
      }
      const address = `${service.url}/lib/centavo.mjs`;
      const byModule = await page.evaluate(
        async ([url, card, k]) => (await import(url)).encryptCard(card, k),
        [address, JSON.parse(vector.plaintext).cardData, vector.secret] as const,
      );
      assert.equal(byModule, vector.encrypted);
      assert.deepEqual(complaints, []);
      assert.deepEqual(outside, [`${service.url}/lib/centavo.js`, address]);
    } finally {
      shop.closeAllConnections();
      shop.close();
    }
  });

  test('it encrypts every test vector, and reports the wrong fields of a card', async () => {
    const { page } = await watchedPage(browser, service.url);
    await page.goto(`${service.url}/docs/demo`);
    const card = JSON.parse(vector.plaintext).cardData;
    const encrypted = await page.evaluate(([c, k]) => Centavo.encryptCard(c, k), [
      card,
      vector.secret,
    ] as const);
    assert.equal(encrypted, vector.encrypted);
    const fields = await page.evaluate(
      async (wrong) => {
        const error = await Centavo.encryptCard(wrong, 'x'.repeat(32)).catch((thrown: unknown) => thrown);
        return error instanceof Centavo.CardError ? error.problems.map(({ field }) => field) : [];
      },
      { ...CARD, number: '4242424242424241', securityCode: '1' },
    );
    assert.deepEqual(fields, ['number', 'securityCode']);
  });

  test('the demo page encrypts and stores a card in both forms, and shows errors', async () => {
    const { page, complaints, outside } = await watchedPage(browser, service.url);
    for (const form of ['jwe', 'aes']) {
      await page.goto(`${service.url}/docs/demo`);
      await page.selectOption('#form', form);
      await page.click('button[type=submit]');
      await page.locator('#answer', { hasText: '"last_4": "4242"' }).waitFor();
      const text = await page.textContent('#encrypted');
      assert.equal(text!.split('.').length, form === 'jwe' ? 5 : 1);
    }
    await page.fill('#number', '4242 4242 4242 4241');
    await page.click('button[type=submit]');
    await page.waitForSelector('#number-problem:not(:empty)');
    assert.match((await page.textContent('#number-problem'))!, /check its digits/);
    // A late answer for the previous card must not appear for this one.
    const places = async () => [await page.textContent('#encrypted'), await page.textContent('#answer')];
    assert.deepEqual(await places(), ['Nothing yet.', 'Nothing yet.']);
    const held = Promise.withResolvers<void>();
    await page.route('**/api/v1/cards', async (route) => {
      await held.promise;
      await route.continue();
    });
    await page.fill('#number', '4242 4242 4242 4242');
    const asked = page.waitForRequest('**/api/v1/cards');
    await page.click('button[type=submit]');
    await asked;
    await page.fill('#number', '4242 4242 4242 4241');
    await page.click('button[type=submit]');
    const answered = page.waitForResponse('**/api/v1/cards');
    held.resolve();
    await (await answered).finished();
    await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))');
    assert.deepEqual(await places(), ['Nothing yet.', 'Nothing yet.']);
    assert.deepEqual({ complaints, outside }, { complaints: [], outside: [] });
  });
});
