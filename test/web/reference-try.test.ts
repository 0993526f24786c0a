/** Trying a request in the reference, where there is little room; and the reference in dark colours. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { startTestService, type TestService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { assertAccessible } from './support/accessibility.ts';
import { DESKTOP, missingBrowser, openBrowser, PHONE, type Screen, watchedPage } from './support/chromium.ts';

/** What scrolls when a request is tried: the request, and below it the answer. */
const FORM = '.scalar-client .custom-scroll:has(> [aria-label="Response"])';

/** Whether the status of the answer is what is seen where it stands. */
const SHOWS_STATUS = `(() => {
  const status = document.querySelector('[aria-label="Response"] .request-response-header a');
  const { x, y } = status?.getBoundingClientRect() ?? { x: -9, y: -9 };
  return status?.contains(document.elementFromPoint(x + 2, y + 2)) ?? false;
})()`;

/** What is seen in the middle of the title of the form, while the form is scrolled. */
const SEEN_ON_TITLE = `(() => {
  const title = document.querySelector('.scalar-client .request-response-header');
  const { left, top, width, height } = title.getBoundingClientRect();
  const places = [0.1, 0.3, 0.5, 0.7, 0.9].map((part) => document.elementFromPoint(left + width * part, top + height / 2));
  return places.filter((element) => !title.contains(element)).map((element) => element?.outerHTML.slice(0, 200));
})()`;

describe('trying a request in the reference', { skip: missingBrowser() }, () => {
  let service: TestService;
  let browser: Browser;
  before(async () => {
    [service, browser] = await Promise.all([startTestService(), openBrowser()]);
  });
  after(() => Promise.all([browser?.close(), service?.stop()]));

  const scrollForm = (page: Page, top: number) =>
    page.evaluate(`document.querySelector('${FORM}').scrollTop = ${top}`);

  async function openDark(screen: Screen, path: string) {
    const { page } = await watchedPage(browser, service.url, { screen, colorScheme: 'dark' });
    await page.goto(`${service.url}${path}`);
    await page.locator('body.dark-mode').waitFor();
    await page.getByRole('heading', { name: 'Centavo payments API' }).waitFor();
    return page;
  }

  async function tryIt(page: Page, operation: string): Promise<void> {
    await page
      .locator('button')
      .filter({ hasText: `(${operation})` })
      .click();
    await page.getByRole('button', { name: /^send/i }).first().waitFor();
  }

  test('on a phone the answer comes into view, each time, and the title covers what passes below it', async () => {
    const page = await openDark(PHONE, '/docs/reference#tag/payments/GET/payments');
    await tryIt(page, 'get /payments');
    for (const top of [60, 150]) {
      await scrollForm(page, top);
      assert.deepEqual(await page.evaluate(SEEN_ON_TITLE), [], `scrolled by ${top}`);
    }
    for (const time of ['first', 'second']) {
      await scrollForm(page, 0);
      await page.getByRole('button', { name: /^send/i }).first().click();
      await page.getByText('200 OK').waitFor();
      await until('the status is seen', () => page.evaluate(SHOWS_STATUS), 10_000).catch(() =>
        assert.fail(`The ${time} answer is out of view.`),
      );
    }
    // Whoever goes back to the form and changes it is not taken away from it.
    await scrollForm(page, 0);
    await page.getByRole('textbox', { name: 'Value of per_page' }).fill('30');
    await assertAccessible(page);
    assert.equal(await page.evaluate(`document.querySelector('${FORM}').scrollTop`), 0);
  });

  test('the keyboard alone gets past a filter, and can take it out', async () => {
    const page = await openDark(DESKTOP, '/docs/reference#tag/payments/GET/payments');
    await tryIt(page, 'get /payments');
    await page.getByRole('textbox', { name: 'Value of per_page' }).focus();
    for (const next of ['Remove per_page', 'More Information', 'Send cursor']) {
      await page.keyboard.press('Tab');
      assert.equal(await page.evaluate('document.activeElement.ariaLabel'), next);
    }
  });

  test('an order can be tried by everybody, on a phone in the dark', async () => {
    const page = await openDark(PHONE, '/docs/reference#tag/orders/POST/charges/orders');
    await tryIt(page, 'post /charges/orders');
    const body = page.getByRole('textbox', { name: 'Body' });
    await body.waitFor();
    await assertAccessible(page);
    // Tab indents there, so that what leaves it must be told.
    assert.match((await body.getAttribute('title')) ?? '', /Escape, then Tab/);
    await body.focus();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    assert.equal(await page.locator('.cm-content[data-language]:focus').count(), 0);
  });

  test('dark colours keep nobody out of the reference', async () => {
    const page = await openDark(DESKTOP, '/docs/reference#tag/account/GET/merchant');
    await assertAccessible(page);
    await tryIt(page, 'get /merchant');
    await assertAccessible(page);
  });
});
