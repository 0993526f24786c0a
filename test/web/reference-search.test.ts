/** How the search of the reference is opened and used; what it finds is in docs-search.test.ts. */
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { startTestService, type TestService } from '../support/service.ts';
import { assertNobodyIsKeptOut } from './support/accessibility.ts';
import { missingBrowser, openBrowser, type Watched, watchedPage } from './support/chromium.ts';

describe('the search of the reference as a reader uses it', { skip: missingBrowser() }, () => {
  let service: TestService;
  let browser: Browser;
  let watched: Watched;
  before(async () => {
    [service, browser] = await Promise.all([startTestService(), openBrowser()]);
  });
  after(() => Promise.all([browser?.close(), service?.stop()]));
  beforeEach(async () => {
    watched = await watchedPage(browser, service.url);
  });
  afterEach(() => watched.page.close());

  async function open(path: string) {
    await watched.page.goto(`${service.url}${path}`);
    await watched.page.getByRole('heading', { name: 'Rate limits' }).waitFor();
    return watched.page;
  }

  test('Enter opens the first result', async () => {
    const page = await open('/docs');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('estorno');
    await page.getByRole('option').filter({ hasText: 'Refund a payment' }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('combobox').waitFor({ state: 'hidden', timeout: 10_000 });
    await page.waitForURL(/POST\/payments\/(\{|%7B)id(\}|%7D)\/refunds$/);
  });

  test('Enter opens the result that the arrows have chosen', async () => {
    const page = await open('/docs');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('refund');
    await page.getByRole('option').nth(1).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    const second = await page.getByRole('option').nth(1).getAttribute('id');
    await page.locator(`[id="${second}"][aria-selected="true"]`).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('combobox').waitFor({ state: 'hidden' });
    const [, chosen] = /^search-result-[^/]+\/(.+)$/.exec(second!)!;
    await page.waitForURL((url) => decodeURIComponent(url.hash) === `#${chosen}`);
  });

  test('Enter opens nothing before anything is typed', async () => {
    const page = await open('/docs');
    await page.keyboard.press('Control+k');
    await page.getByRole('option').first().waitFor();
    await page.keyboard.press('Enter');
    await page.keyboard.type('estorno');
    await page.getByRole('option').filter({ hasText: 'Refund a payment' }).waitFor();
  });

  test('a search that finds nothing says so to everybody, and the next one finds again', async () => {
    const page = await open('/docs');
    await page.keyboard.press('Control+k');
    await page.keyboard.type('xyzzyx');
    await page.getByRole('alert').filter({ hasText: 'No results found' }).waitFor();
    await assertNobodyIsKeptOut(page);
    await page.getByRole('combobox').fill('estorno');
    await page.getByRole('listbox').getByRole('option').filter({ hasText: 'Refund a payment' }).waitFor();
    await assertNobodyIsKeptOut(page);
  });

  test('the address of what was found from a guide is the address of the page alone', async () => {
    const { page } = watched;
    await page.goto(`${service.url}/docs?search`);
    await page.getByRole('combobox').fill('refund');
    await page.getByRole('option').filter({ hasText: 'Refund a payment' }).click();
    await page.waitForURL(/refunds/);
    assert.equal(new URL(page.url()).search, '');
  });

  test('an address that was kept with the word in it shows the page, not the search', async () => {
    const page = await open('/docs?search#description/api-keys');
    const { pathname, search, hash } = new URL(page.url());
    assert.deepEqual([pathname, search, hash], ['/docs', '', '#description/api-keys']);
    assert.equal(await page.getByRole('combobox').count(), 0);
  });
});
