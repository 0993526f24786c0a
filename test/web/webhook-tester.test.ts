/** The page that shows the events and deliveries of a sandbox as they happen. */
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { type Json, startTestService, type TestService } from '../support/service.ts';
import { created, Shop } from '../support/shop.ts';
import { until } from '../support/until.ts';
import { Receiver } from '../support/webhooks/receiver.ts';
import { assertAccessible } from './support/accessibility.ts';
import {
  DESKTOP,
  missingBrowser,
  openBrowser,
  overflow,
  PHONE,
  type Watched,
  watchedPage,
} from './support/chromium.ts';

const KEY_FIELD = 'API key of the sandbox';

describe('the webhook tester', { skip: missingBrowser() }, () => {
  let service: TestService;
  let browser: Browser;
  let receiver: Receiver;
  let shop: Shop;
  let watched: Watched;
  before(async () => {
    [service, browser, receiver] = await Promise.all([
      startTestService({ env: { ALLOW_PRIVATE_DESTINATIONS: 'true' } }),
      openBrowser(),
      Receiver.start(),
    ]);
  });
  after(() => Promise.all([browser?.close(), service?.stop(), receiver?.[Symbol.asyncDispose]()]));
  beforeEach(async () => {
    shop = await Shop.open(service);
  });
  afterEach(async () => {
    await watched?.page.close();
    assert.deepEqual(watched.outside, []);
  });

  async function open(options: Parameters<typeof watchedPage>[2] = {}): Promise<Page> {
    watched = await watchedPage(browser, service.url, options);
    await watched.page.goto(`${service.url}/docs/webhook-tester`);
    return watched.page;
  }

  async function openWith(key: string, options?: Parameters<typeof watchedPage>[2]): Promise<Page> {
    const page = await open(options);
    await page.getByLabel(KEY_FIELD).fill(key);
    await page.getByRole('button', { name: 'Show events' }).click();
    return page;
  }

  const newEndpoint = (): Promise<Json> =>
    created(shop.post('/webhook-endpoints', { url: receiver.url, events: ['*'] }));
  const itemsOf = (page: Page, list: string) => page.getByRole('list', { name: list }).getByRole('listitem');

  test('it shows events and deliveries as they happen, with payloads and attempts', async () => {
    await newEndpoint();
    const page = await openWith(shop.onboarded.apiKey);
    await page.getByText('There are no events yet.').waitFor();
    await page.getByText('There are no deliveries yet.').waitFor();
    await itemsOf(page, 'Endpoints').filter({ hasText: receiver.url }).waitFor();

    const { id } = await shop.pixPayment();
    const event = itemsOf(page, 'Events').filter({ hasText: 'payment.created' });
    await event.locator('summary').click();
    await page.getByRole('region', { name: 'Payload of payment.created' }).waitFor();
    assert.ok((await event.innerText()).includes(id));
    await shop.simulate(id, 'paid');
    await itemsOf(page, 'Events').filter({ hasText: 'paid' }).first().waitFor();
    assert.equal(await event.locator('details').getAttribute('open'), '', 'what was opened stays open');

    const delivery = itemsOf(page, 'Deliveries').filter({ hasText: 'payment.created' });
    await delivery.filter({ hasText: 'succeeded' }).locator('summary').click();
    await delivery.getByText(/status 200, \d+ ms/).waitFor();
    await delivery.getByText('Last answer: ok').waitFor();
    await page.getByText('Live. Events: 3. Deliveries: 3.').waitFor();
    assert.deepEqual(watched.complaints, []);
  });

  test('a delivery is sent again, and an endpoint gets a ping, by keyboard alone', async () => {
    await newEndpoint();
    const page = await open();
    await page.getByLabel(KEY_FIELD).focus();
    await page.keyboard.type(shop.onboarded.apiKey);
    await page.keyboard.press('Enter');
    const ping = page.getByRole('button', { name: `Send a ping to ${receiver.url}` });
    await ping.focus();
    await page.keyboard.press('Enter');
    const delivery = itemsOf(page, 'Deliveries').filter({ hasText: 'ping' });
    await delivery.filter({ hasText: '1 attempt ' }).filter({ hasText: 'succeeded' }).waitFor();

    const again = page.getByRole('button', { name: `Send again: ping to ${receiver.url}` });
    await again.focus();
    await page.keyboard.press('Enter');
    await delivery.filter({ hasText: '2 attempts' }).filter({ hasText: 'succeeded' }).waitFor();
    assert.equal(
      await page.evaluate('document.activeElement.ariaLabel'),
      `Send again: ping to ${receiver.url}`,
      'the focus stays where it was',
    );
    const ids = receiver.arrivals.slice(-2).map(({ headers }) => headers['webhook-id']);
    assert.equal(ids[0], ids[1]);
    assert.deepEqual(watched.complaints, []);
  });

  test('a failed delivery shows why, and when the next attempt is', async () => {
    const closed = await Receiver.start();
    const { url } = closed;
    await closed[Symbol.asyncDispose]();
    const { id } = await created(shop.post('/webhook-endpoints', { url, events: ['*'] }));
    await created(shop.post(`/webhook-endpoints/${id}/ping`));
    const page = await openWith(shop.onboarded.apiKey);
    const delivery = itemsOf(page, 'Deliveries').filter({ hasText: 'ping' });
    await delivery.locator('summary').click();
    await delivery
      .getByText(/connection_failed, \d+ ms/)
      .first()
      .waitFor();
    await delivery.getByText('Next attempt').waitFor();
  });

  test('the key is stored nowhere', async () => {
    const key = shop.onboarded.apiKey;
    const page = await openWith(key);
    await page.getByText('Live.').waitFor();
    const stored = await page.evaluate(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href, history.state])',
    );
    assert.ok(!(stored as string).includes('pay_test_'));
    assert.equal(await page.getByLabel(KEY_FIELD).getAttribute('type'), 'password');
    await page.reload();
    assert.equal(await page.getByLabel(KEY_FIELD).inputValue(), '');
  });

  test('an unknown key and a key without permission are errors', async () => {
    const page = await openWith(`pay_test_${'0'.repeat(40)}`);
    const problem = page.getByRole('alert');
    await problem.filter({ hasText: /key/i }).waitFor();
    await page.getByRole('button', { name: 'Show events' }).waitFor();
    assert.equal(await page.getByLabel(KEY_FIELD).getAttribute('aria-invalid'), 'true');

    const { apiKey } = await service.newKey(shop.onboarded, ['customers:read']);
    await page.getByLabel(KEY_FIELD).fill(apiKey);
    await page.getByRole('button', { name: 'Show events' }).click();
    await problem.filter({ hasText: /events:read|webhooks:read/ }).waitFor();
  });

  test('a production key is not sent', async () => {
    const page = await open();
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.url()));
    await page.getByLabel(KEY_FIELD).fill('pay_live_abc');
    await page.getByRole('button', { name: 'Show events' }).click();
    await page.getByRole('alert').filter({ hasText: 'This is not a key of a sandbox.' }).waitFor();
    assert.deepEqual(sent, []);
  });

  test('a read-only key sees everything, and its ping is refused with the reason', async () => {
    await newEndpoint();
    const { apiKey } = await service.newKey(shop.onboarded, ['events:read', 'webhooks:read']);
    const page = await openWith(apiKey);
    await page.getByRole('button', { name: 'Send a ping' }).click();
    await page.getByRole('alert').filter({ hasText: 'webhooks:write' }).waitFor();
    await page.getByText('Live.').waitFor();
  });

  test('continues after a lost connection', async () => {
    const page = await openWith(shop.onboarded.apiKey);
    await page.getByText('Live. Events: 0.').waitFor();
    await page.context().setOffline(true);
    await page.getByText('Trying again: the service does not answer.').waitFor();
    await shop.pixPayment();
    await page.context().setOffline(false);
    await page.getByText('Live. Events: 2.').waitFor();
  });

  test('it asks once a second while the service does not let it wait', async () => {
    const page = await open();
    const asked_ms: number[] = [];
    await page.route(/\/events\?after=/, (route) => {
      asked_ms.push(performance.now());
      const pagination = { per_page: 50, has_more: false, next_cursor: null, next_after: null };
      return route.fulfill({ json: { data: [], pagination } });
    });
    await page.getByLabel(KEY_FIELD).fill(shop.onboarded.apiKey);
    await page.getByRole('button', { name: 'Show events' }).click();
    await until('it has asked three times', () => asked_ms.length >= 3);
    assert.ok(asked_ms[2]! - asked_ms[0]! >= 1_900, `${asked_ms}`);
  });

  test('events that a reset deletes before they have a position disappear', async () => {
    await shop.pixPayment();
    const page = await open();
    const pagination = { per_page: 50, has_more: false, next_cursor: null, next_after: null };
    await page.route(/\/events\?per_page=/, async (route) => {
      const { data } = await (await route.fetch()).json();
      await route.fulfill({ json: { data, pagination } });
    });
    const isReset = Promise.withResolvers<void>();
    await page.route(/\/events\?after=/, async (route) => {
      await isReset.promise;
      await route.fulfill({ json: { data: [], pagination } });
    });
    await page.getByLabel(KEY_FIELD).fill(shop.onboarded.apiKey);
    await page.getByRole('button', { name: 'Show events' }).click();
    await page.getByText('Live. Events: 2.').waitFor();
    isReset.resolve();
    await page.getByText('There are no events yet.').waitFor();
  });

  test('after a stop nothing more is requested, and the demo key shows the demo account', async () => {
    const page = await openWith(shop.onboarded.apiKey);
    await page.getByText('Live.').waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('Stopped.').waitFor();
    const asked = page.waitForRequest((request) => request.url().includes('/api/v1/'));
    await page.getByRole('button', { name: 'Use the demo key' }).click();
    const { apiKey } = JSON.parse(
      (await (await fetch(`${service.url}/docs/demo.js`)).text()).match(/centavoDemo = (.*);/)![1]!,
    );
    assert.equal((await asked).headers().authorization, `Bearer ${apiKey}`);
    await page.getByText('Live.').waitFor();
  });

  test('after a reset of the sandbox it starts again', async () => {
    await shop.pixPayment();
    const page = await openWith(shop.onboarded.apiKey);
    await page.getByText('Live. Events: 2.').waitFor();
    assert.equal((await shop.post('/sandbox/reset')).status, 200);
    await page.getByText('There are no events yet.').waitFor();
    await shop.pixPayment();
    await page.getByText('Live. Events: 2.').waitFor();
  });

  for (const [screen, colorScheme] of [
    [DESKTOP, 'light'],
    [PHONE, 'dark'],
  ] as const) {
    test(`it is accessible with everything open, ${colorScheme} and ${screen.width} wide`, async () => {
      await newEndpoint();
      const { id } = await shop.pixPayment();
      await shop.simulate(id, 'paid');
      const page = await openWith(shop.onboarded.apiKey, { screen, colorScheme });
      await page.getByText('Live. Events: 3. Deliveries: 3.').waitFor();
      for (const list of ['Events', 'Deliveries'])
        await itemsOf(page, list).first().locator('summary').click();
      await assertAccessible(page);
      assert.equal(await overflow(page), 0);
      assert.deepEqual(watched.complaints, []);
    });
  }
});
