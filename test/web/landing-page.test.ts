/** The page at `/docs`: short, quick, and the way to everything else. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { readGuides } from '../../web/guides.ts';
import { runProgram } from '../scripts/support/admin.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { missingBrowser, openBrowser, PHONE, watchedPage } from './support/chromium.ts';

const MOST_BYTES = 20_000;

describe('the landing page of the docs', { skip: missingBrowser() }, () => {
  let service: TestService;
  let browser: Browser;
  before(async () => {
    [service, browser] = await Promise.all([startTestService(), openBrowser()]);
  });
  after(() => Promise.all([browser?.close(), service?.stop()]));

  test('it links to every guide, the reference, the demo and the contract', async () => {
    const html = await (await fetch(`${service.url}/docs`)).text();
    const guides = (await readGuides()).map(({ slug }) => `/docs/guides/${slug}`);
    const contract = ['/openapi.json', '/openapi.yaml', '/openapi-clients.json'];
    for (const path of [...guides, '/docs/reference', '/docs/demo', '/docs/webhook-tester', ...contract])
      assert.ok(html.includes(`href="${path}"`), path);
    assert.doesNotMatch(html, /<h2[^>]*>More</, 'every guide has its place among the groups');
  });

  test('it takes at most 20 KB with everything that it loads', async () => {
    const { page, complaints, outside } = await watchedPage(browser, service.url);
    const sizes: Promise<number>[] = [];
    page.on('response', (response) => {
      sizes.push(
        response
          .request()
          .sizes()
          .then(({ responseBodySize }) => responseBodySize),
      );
    });
    await page.goto(`${service.url}/docs`, { waitUntil: 'networkidle' });
    const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    assert.ok(bytes > 5_000 && bytes < MOST_BYTES, `${bytes} bytes`);
    assert.deepEqual({ complaints, outside }, { complaints: [], outside: [] });
  });

  test('its sample can be pasted and creates an order', async () => {
    const { page } = await watchedPage(browser, service.url);
    await page.goto(`${service.url}/docs`);
    const sample = await page.locator('.hero pre').innerText();
    const { stdout } = await runProgram('sh', ['-c', sample], {});
    const { status, payment } = JSON.parse(stdout);
    assert.deepEqual([status, payment.status, payment.amount], ['pending', 'waiting_payment', 4990]);
  });

  test('an old link to a part of the reference still works', async () => {
    const { page } = await watchedPage(browser, service.url);
    for (const hash of ['#tag/account/GET/merchant', '#description/api-keys']) {
      await page.goto(`${service.url}/docs${hash}`);
      await page.waitForURL(`${service.url}/docs/reference${hash}`);
      await page.goto('about:blank');
    }
    for (const id of ['{id}', '%7Bid%7D']) {
      await page.goto(`${service.url}/docs#tag/payments/POST/payments/${id}/capture`);
      await page.waitForURL(({ hash }) => hash === '#tag/payments/POST/payments/{identifier}/capture');
      await page
        .getByRole('heading', { name: 'Capture a payment' })
        .filter({ visible: true })
        .first()
        .waitFor();
      await page.goto('about:blank');
    }
    await page.goto(`${service.url}/docs#build`);
    await page.getByRole('heading', { name: 'Build' }).waitFor();
    assert.equal(new URL(page.url()).pathname, '/docs');
  });

  test('on a phone the bar has all links', async () => {
    const { page } = await watchedPage(browser, service.url, { screen: PHONE });
    await page.goto(`${service.url}/docs`);
    const parts = page.locator('.bar').locator('a, button');
    assert.equal(await parts.count(), 5);
    const right = await page.evaluate(
      `Math.max(...[...document.querySelectorAll('.bar :is(a, button)')].map((part) => part.getBoundingClientRect().right))`,
    );
    assert.ok((right as number) <= PHONE.width, `the bar reaches to ${right} px`);
    for (const name of ['Guides', 'Reference']) await page.getByRole('link', { name, exact: true }).waitFor();
  });
});
