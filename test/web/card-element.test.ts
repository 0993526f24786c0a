/** `<centavo-card>` on the page of a shop. */
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { receivedRequests } from '../support/pages/received-requests.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { Shop } from '../support/shop.ts';
import { until } from '../support/until.ts';
import { assertAccessible } from './support/accessibility.ts';
import { missingBrowser, openBrowser, PHONE, type Watched, watchedPage } from './support/chromium.ts';

/** The ratio of the luminances of two gray `rgb(…)`, as far as they are opaque. */
function contrast(one: string, other: string): number {
  const luminance = (color: string) => {
    const [r, g, b, alpha = 1] = color.match(/[\d.]+/g)!.map(Number) as [number, number, number, number?];
    assert.equal(alpha, 1, `${color} is not opaque`);
    return ((r + g + b) / 3 / 255) ** 2.2;
  };
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

/** The page of a shop on an origin of its own. Its page `/about` has no card. */
async function shopPage(
  service: TestService,
  style = '',
): Promise<AsyncDisposable & { readonly url: string }> {
  const server = createServer(({ url }, response) => {
    const card = url === '/about' ? '' : '<centavo-card></centavo-card>';
    response.setHeader('Content-Type', 'text/html');
    response.setHeader(
      'Content-Security-Policy',
      `default-src 'none'; style-src 'unsafe-inline'; script-src ${service.url}; frame-src 'self' ${service.url}; img-src data:`,
    );
    response.end(`<!doctype html><html lang="pt-BR"><link rel="icon" href="data:,"><title>Loja</title><style>${style}</style>
<main><h1>Loja</h1>${card}</main><script src="${service.url}/lib/centavo.js"></script></html>`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function type(page: Page, number: string): Promise<void> {
  const frame = page.frameLocator('centavo-card iframe');
  await frame.getByLabel('Número do cartão').fill(number);
  await frame.getByLabel('Validade').fill('0839');
  await frame.getByLabel('Código (CVV)').fill('123');
  await frame.getByLabel('Nome impresso no cartão').fill('BIA LIMA');
}

/** The result of `encrypt`: the text, or the fields with a problem. */
function encrypt(page: Page, key: unknown): Promise<string> {
  const call = async (k: unknown) => {
    const element = (globalThis as never as { document: { querySelector(name: string): unknown } }).document;
    const card = element.querySelector('centavo-card') as { encrypt(key: unknown): Promise<string> };
    return card
      .encrypt(k)
      .catch((error: { problems?: { field: string }[]; code?: string }) =>
        (error.problems?.map(({ field }) => field) ?? [error.code]).join(' '),
      );
  };
  return page.evaluate(call, key);
}

function heightOf(page: Page): Promise<string> {
  return page.evaluate("document.querySelector('centavo-card iframe').style.height");
}

describe('<centavo-card>', { skip: missingBrowser() }, () => {
  let service: TestService;
  let browser: Browser;
  before(async () => {
    [service, browser] = await Promise.all([startTestService(), openBrowser()]);
  });
  after(() => Promise.all([browser?.close(), service?.stop()]));

  /** Opens the page of a shop, and fills in a card. */
  async function openWithCard(url: string, number = '4242 4242 4242 4242'): Promise<Watched> {
    const watched = await watchedPage(browser, url);
    await watched.page.goto(url);
    await type(watched.page, number);
    return watched;
  }

  test('encrypts a card for the server of the shop, whose page and server never see the number', async () => {
    const shop = await Shop.open(service);
    const key = await shop.get('/cards/encryption-key');
    await using own = await shopPage(service);
    using received = receivedRequests(own.url);
    using receivedByService = receivedRequests(service.url);
    const { page, complaints } = await openWithCard(own.url);
    const encrypted = await encrypt(page, key);
    assert.equal(encrypted.split('.').length, 5);
    // A port can have four of the digits.
    assert.doesNotMatch(await page.content(), /4242 ?4242/);
    const isReadable = await page.evaluate("document.querySelector('iframe').contentDocument !== null");
    assert.equal(isReadable, false);
    const answer = await shop.post('/cards', { customer_id: await shop.customer(), encrypted });
    assert.deepEqual([answer.status, answer.body.last_4, answer.body.holder], [201, '4242', 'BIA LIMA']);
    for (const text of [...received.texts(), ...receivedByService.texts()])
      assert.doesNotMatch(text, /4242 ?4242/);
    assert.deepEqual(complaints, []);
    for (const language of ['pt', 'en']) {
      await page.goto(`${service.url}/lib/card-frame/${language}`);
      await assertAccessible(page);
    }
  });

  test('shows what is wrong with a card, and rejects with its fields', async () => {
    const shop = await Shop.open(service);
    const key = await shop.get('/cards/encryption-key');
    await using own = await shopPage(service);
    const { page } = await openWithCard(own.url, '4242 4242 4242 4241');
    assert.equal(await encrypt(page, key), 'number');
    await page.frameLocator('iframe').getByText('Confira o número do cartão.').waitFor();
    await type(page, '4242 4242 4242 4242');
    assert.equal(await encrypt(page, { kty: 'RSA' }), 'invalid_key');
    assert.match(await encrypt(page, key), /^ey/);
  });

  test('refuses every key but the public key of a merchant of the service', async () => {
    const shop = await Shop.open(service);
    const { jwk } = await shop.get('/cards/encryption-key');
    const { n, e } = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ format: 'jwk' });
    await using own = await shopPage(service);
    const { page } = await openWithCard(own.url);
    const attackers = { ...jwk, n, e };
    for (const key of [attackers, { jwk: attackers }, { ...jwk, kid: jwk.kid.split('.')[0] }, 'k'.repeat(32)])
      assert.equal(await encrypt(page, key), 'invalid_key');
    assert.match(await encrypt(page, jwk), /^ey/);
    await page.route('**/lib/card-key?*', (route) => route.abort());
    assert.equal(await encrypt(page, jwk), 'unchecked_key');
  });

  test('can be read on a shop that is light, dark, or both, whatever the device prefers', async () => {
    const schemes = {
      '': 'light',
      ':root { color-scheme: dark }': 'dark',
      'body { background: #000; color: #fff }': 'dark',
      'body { background: oklch(0.2 0 0); color: oklch(0.95 0.01 250) }': 'dark',
      'body { background: #000; color: color(display-p3 0.9 0.9 1) }': 'dark',
      ':root { color-scheme: light dark }': 'light dark',
    };
    for (const [style, scheme] of Object.entries(schemes)) {
      await using own = await shopPage(service, style);
      for (const colorScheme of ['light', 'dark'] as const) {
        const { page } = await watchedPage(browser, own.url, { screen: PHONE, colorScheme });
        await page.goto(own.url);
        const frame = page.frameLocator('centavo-card iframe');
        await frame.getByLabel('Número do cartão').waitFor();
        // Browsers show the frame in this scheme. Playwright's emulation of the device overrules it inside the frame.
        const given = await page.evaluate("getComputedStyle(document.querySelector('iframe')).colorScheme");
        assert.equal(given, scheme, style);
        const [text, back] = (await frame
          .locator('body')
          .evaluate(
            'const { color, backgroundColor } = getComputedStyle(document.body); [color, backgroundColor]',
          )) as [string, string];
        assert.ok(contrast(text, back) > 7, `${style}, ${colorScheme}: ${text} on ${back}`);
        await page.close();
      }
    }
  });

  test('and its frame take no messages from other frames', async () => {
    const key = await (await Shop.open(service)).get('/cards/encryption-key');
    await using own = await shopPage(service);
    const { page } = await openWithCard(own.url);
    assert.match(await encrypt(page, key), /^ey/);
    const src = `${service.url}/lib/card-frame/en`;
    await page.evaluate(
      `document.body.append(Object.assign(document.createElement('iframe'), { src: '${src}' }))`,
    );
    await page.frameLocator('body > iframe').getByLabel('Card number').waitFor();
    const sibling = page.frames().find((frame) => frame.url() === src)!;
    await sibling.evaluate(`{
      const { port1, port2 } = new MessageChannel();
      globalThis.answers = [];
      port1.onmessage = ({ data }) => answers.push(data);
      parent.frames[0].postMessage({ centavo: 'encrypt', key: ${JSON.stringify(key)} }, '*', [port2]);
      parent.postMessage({ centavo: 'height', height: 9999 }, '*');
    }`);
    assert.match(await encrypt(page, key), /^ey/);
    assert.deepEqual(await sibling.evaluate('answers'), []);
    assert.notEqual(await heightOf(page), '9999px');
  });

  test('exchanges no messages with another page in its frame', async () => {
    const key = await (await Shop.open(service)).get('/cards/encryption-key');
    await using own = await shopPage(service);
    const { page } = await openWithCard(own.url);
    assert.match(await encrypt(page, key), /^ey/);
    await page.evaluate(`document.querySelector('centavo-card iframe').src = '${own.url}/about'`);
    await page.frameLocator('centavo-card iframe').getByRole('heading', { name: 'Loja' }).waitFor();
    const other = page.mainFrame().childFrames()[0]!;
    await other.evaluate(`{
      globalThis.received = [];
      addEventListener('message', ({ data }) => received.push(data));
      parent.postMessage({ centavo: 'height', height: 9999 }, '*');
    }`);
    await page.evaluate(`{
      const card = document.querySelector('centavo-card');
      card.encrypt(${JSON.stringify(key)}).catch(() => {});
      requestAnimationFrame(() => card.querySelector('iframe').contentWindow.postMessage('last', '*'));
    }`);
    const received = () => other.evaluate<unknown[]>('received');
    await until('the last message has arrived', async () => (await received()).includes('last'));
    assert.deepEqual(await received(), ['last']);
    assert.notEqual(await heightOf(page), '9999px');
  });

  test('has a frame that loads only what is ours, and that every page can show', async () => {
    const { headers } = await fetch(`${service.url}/lib/card-frame/pt`);
    assert.equal(
      headers.get('content-security-policy'),
      "default-src 'none'; connect-src 'self'; script-src 'self'; style-src 'self'; img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors *",
    );
    assert.equal(headers.get('cross-origin-resource-policy'), 'cross-origin');
    assert.equal(headers.get('x-frame-options'), null);
    for (const path of ['/lib/centavo.js', '/lib/card-key']) {
      assert.equal((await fetch(`${service.url}${path}`)).headers.get('x-frame-options'), 'DENY', path);
    }
  });

  test('is on the demo page, in English', async () => {
    const { page, complaints } = await watchedPage(browser, service.url);
    await page.goto(`${service.url}/docs/demo`);
    const frame = page.frameLocator('centavo-card iframe');
    await frame.getByLabel('Card number').fill('5555 5555 5555 4444');
    await frame.getByLabel('Expiry date').fill('0839');
    await frame.getByLabel('Code (CVV)').fill('123');
    await frame.getByLabel('Name on the card').fill('ANA SOUZA');
    await page.getByRole('button', { name: 'Encrypt the card of the element' }).click();
    await page.locator('#element-answer', { hasText: /^ey/ }).waitFor();
    assert.deepEqual(complaints, []);
  });
});
