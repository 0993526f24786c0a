/**
 * The form for trying a request in the reference, on small screens and by keyboard, and the reference in dark colours.
 */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { startTestService, type TestService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { assertAccessible } from './support/accessibility.ts';
import { DESKTOP, missingBrowser, openBrowser, PHONE, type Screen, watchedPage } from './support/chromium.ts';
import { shortenReference } from './support/short-reference.ts';

/** The scrolling part of the form: the request, and below it the answer. */
const FORM = '.scalar-client .custom-scroll:has(> [aria-label="Response"])';

/** Whether the status of the answer is visible and not covered. */
const SHOWS_STATUS = `(() => {
  const status = document.querySelector('[aria-label="Response"] .request-response-header a');
  const { x, y } = status?.getBoundingClientRect() ?? { x: -9, y: -9 };
  return status?.contains(document.elementFromPoint(x + 2, y + 2)) ?? false;
})()`;

/** Elements that cover the title of the form. */
const COVERING_TITLE = `(() => {
  const title = document.querySelector('.scalar-client .request-response-header');
  const { left, top, width, height } = title.getBoundingClientRect();
  const found = [0.1, 0.3, 0.5, 0.7, 0.9].map((part) => document.elementFromPoint(left + width * part, top + height / 2));
  return found.filter((element) => !title.contains(element)).map((element) => element?.outerHTML.slice(0, 200));
})()`;

describe('trying a request in the reference', { skip: missingBrowser() }, () => {
  let service: TestService;
  let browser: Browser;
  before(async () => {
    [service, browser] = await Promise.all([startTestService(), openBrowser()]);
  });
  after(() => Promise.all([browser?.close(), service?.stop()]));

  const scrollForm = (top: number) => page.evaluate(`document.querySelector('${FORM}').scrollTop = ${top}`);

  let page: Page;
  afterEach(() => page?.close());

  /** Opens the reference at an operation. With `only`, the reference has no other operations. */
  async function openDark(screen: Screen, path: string, only?: string): Promise<void> {
    ({ page } = await watchedPage(browser, service.url, { screen, colorScheme: 'dark' }));
    if (only !== undefined) await shortenReference(page, [only]);
    await page.goto(`${service.url}${path}`);
    await page.locator('body.dark-mode').waitFor();
    await page.getByRole('heading', { name: 'Centavo payments API' }).waitFor();
  }

  async function tryIt(operation: string): Promise<void> {
    await page
      .locator('button')
      .filter({ hasText: `(${operation})` })
      .click();
    await page.getByRole('button', { name: /^send/i }).first().waitFor();
  }

  test('on a phone each answer scrolls into view, and nothing covers the title', async () => {
    await openDark(PHONE, '/docs/reference#tag/payments/GET/payments', 'listPayments');
    await tryIt('get /payments');
    for (const top of [60, 150]) {
      await scrollForm(top);
      assert.deepEqual(await page.evaluate(COVERING_TITLE), [], `scrolled by ${top}`);
    }
    for (const which of ['first', 'second']) {
      await scrollForm(0);
      await page.getByRole('button', { name: /^send/i }).first().click();
      await page.getByText('200 OK').waitFor();
      await until('the status is seen', () => page.evaluate(SHOWS_STATUS)).catch(() =>
        assert.fail(`The ${which} answer is out of view.`),
      );
    }
    // Editing the form again does not scroll it.
    await scrollForm(0);
    await page.getByRole('textbox', { name: 'Value of per_page' }).fill('30');
    await assertAccessible(page);
    assert.equal(await page.evaluate(`document.querySelector('${FORM}').scrollTop`), 0);
  });

  test('by keyboard, a filter can be removed and left', async () => {
    await openDark(DESKTOP, '/docs/reference#tag/payments/GET/payments', 'listPayments');
    await tryIt('get /payments');
    await page.getByRole('textbox', { name: 'Value of per_page' }).focus();
    for (const next of ['Remove per_page', 'More Information', 'Send cursor']) {
      await page.keyboard.press('Tab');
      assert.equal(await page.evaluate('document.activeElement.ariaLabel'), next);
    }
  });

  test('the button for colours is hidden while a form is open, because it would be above the one that closes the form', async () => {
    await openDark(DESKTOP, '/docs/reference#tag/payments/GET/payments', 'listPayments');
    const colours = page.locator('.bar .theme');
    assert.equal(await colours.isVisible(), true);
    await tryIt('get /payments');
    await colours.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Close Client' }).click();
    await colours.waitFor({ state: 'visible' });
  });

  test('the form of an order is accessible, on a phone in dark colours', async () => {
    await openDark(PHONE, '/docs/reference#tag/orders/POST/charges/orders');
    await tryIt('post /charges/orders');
    const body = page.getByRole('textbox', { name: 'Body' });
    await body.waitFor();
    await assertAccessible(page);
    // Tab indents in the editor, so its title must say which keys leave it.
    assert.match((await body.getAttribute('title')) ?? '', /Escape, then Tab/);
    await body.focus();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    assert.equal(await page.locator('.cm-content[data-language]:focus').count(), 0);
  });

  test('the reference is accessible in dark colours', async () => {
    await openDark(DESKTOP, '/docs/reference#tag/account/GET/merchant');
    await assertAccessible(page);
    await tryIt('get /merchant');
    await assertAccessible(page);
  });
});
