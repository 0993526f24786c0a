/** How the search of the docs is opened and used; what it finds is in search-ranking.test.ts. */
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { entriesOf, type SearchIndex } from '../../web/search-index.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { assertAccessible } from './support/accessibility.ts';
import {
  missingBrowser,
  openBrowser,
  overflow,
  PHONE,
  type Watched,
  watchedPage,
} from './support/chromium.ts';

const PAGES = ['/docs', '/docs/guides/errors', '/docs/reference', '/docs/demo', '/docs/404'];

const COMBOBOX = { name: 'Search the docs' };

/** What the list says is chosen, by its first line. */
const chosen = (page: Page) =>
  page.locator('[role="option"][aria-selected="true"] .search-title').innerText();

/** Whether the option that the field announces to assistive software is the one that looks selected. */
const IS_ANNOUNCED = `document.activeElement.getAttribute('aria-activedescendant') ===
  document.querySelector('[role="option"][aria-selected="true"]').id`;

/** Whether a heading with these words is in the upper half of what is seen. */
const IS_IN_VIEW = `(words) => [...document.querySelectorAll('h1, h2, h3')].some((heading) => {
  const { top } = heading.getBoundingClientRect();
  return heading.textContent.includes(words) && top > 0 && top < innerHeight / 2;
})`;

describe('the search of the docs as a reader uses it', { skip: missingBrowser() }, () => {
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

  async function open(path: string): Promise<Page> {
    const { page } = watched;
    await page.goto(`${service.url}${path}`);
    if (path.startsWith('/docs/reference'))
      await page.getByRole('heading', { name: 'Rate limits' }).waitFor();
    return page;
  }

  async function search(page: Page, query: string): Promise<void> {
    await page.keyboard.press('/');
    await page.getByRole('combobox', COMBOBOX).fill(query);
    await page.locator('[role="option"] mark').first().waitFor();
  }

  for (const path of PAGES)
    test(`${path}: / opens it, and Escape closes it and restores the focus`, async () => {
      const page = await open(path);
      const button = page.getByRole('button', { name: 'Search' });
      await button.focus();
      await page.keyboard.press('/');
      await page.getByRole('combobox', COMBOBOX).waitFor();
      assert.equal(await page.getByRole('combobox', COMBOBOX).inputValue(), '', 'the / is not typed');
      await page.keyboard.type('pagamento recusado');
      await page.getByRole('option').filter({ hasText: 'Refused payments' }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('combobox', COMBOBOX).waitFor({ state: 'hidden' });
      await page.locator('button.search-open:focus').waitFor();
      assert.deepEqual(watched.outside, []);
    });

  test('the first result is selected, and Enter opens it', async () => {
    const page = await open('/docs');
    await search(page, 'cartão recusado');
    assert.equal(await chosen(page), 'Refused payments');
    assert.equal(await page.evaluate(IS_ANNOUNCED), true);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/docs\/guides\/errors#refused-payments$/);
    await page.getByRole('heading', { name: 'Refused payments' }).waitFor();
  });

  test('the arrow keys select a result, also from the last to the first, and Enter opens it', async () => {
    const page = await open('/docs/guides/events');
    await search(page, 'refund');
    const titles = await page.locator('.search-title').allInnerTexts();
    await page.keyboard.press('ArrowUp');
    assert.equal(await chosen(page), titles.at(-1));
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    assert.equal(await chosen(page), titles[1]);
    assert.equal(await page.evaluate(IS_ANNOUNCED), true);
    assert.equal(await page.locator('[aria-selected="true"]').count(), 1);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: titles[1]! }).filter({ visible: true }).first().waitFor();
  });

  test('another query selects its own first result', async () => {
    const page = await open('/docs');
    await search(page, 'refund');
    await page.keyboard.press('ArrowDown');
    await page.getByRole('combobox', COMBOBOX).fill('webhook');
    await page.getByRole('option').filter({ hasText: 'Webhooks' }).first().waitFor();
    assert.equal(await chosen(page), 'Webhooks');
  });

  test('Ctrl+K opens it, and Enter does nothing in an empty field', async () => {
    const page = await open('/docs');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', COMBOBOX).waitFor();
    await page.keyboard.press('Enter');
    assert.equal(await page.getByRole('combobox', COMBOBOX).isVisible(), true);
    assert.equal(new URL(page.url()).pathname, '/docs');
  });

  test('text that is typed before the search is loaded is not lost', async () => {
    const page = await open('/docs');
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    await page.route('**/search-panel.js', async (route) => {
      await held;
      await route.continue();
    });
    await page.keyboard.press('/');
    await page.keyboard.type('estorno/');
    letGo();
    await page.getByRole('combobox', COMBOBOX).waitFor();
    assert.equal(await page.getByRole('combobox', COMBOBOX).inputValue(), 'estorno/');
    assert.equal(await chosen(page), 'Cancel and refund');
  });

  test('a / in another field is typed there', async () => {
    const page = await open('/docs/demo');
    await page.getByLabel('Name on the card').fill('ANA');
    await page.getByLabel('Name on the card').press('End');
    await page.keyboard.type('/');
    assert.equal(await page.getByLabel('Name on the card').inputValue(), 'ANA/');
    assert.equal(await page.getByRole('combobox', COMBOBOX).count(), 0);
  });

  test('a click opens a result, and a test card is found by its number, also in groups of digits', async () => {
    const page = await open('/docs/guides/quick-start');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('combobox', COMBOBOX).fill('4000 0000 0000 0002');
    await page.getByRole('option').filter({ hasText: 'do_not_honor' }).click();
    await page.waitForURL(/\/docs\/guides\/testing#row-4000000000000002$/);
    const row = page.locator('tr:target');
    await row.waitFor();
    assert.match(await row.innerText(), /do_not_honor/);
  });

  test('it is accessible: empty, with results, and without', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page } = await watchedPage(browser, service.url, { colorScheme });
      await page.goto(`${service.url}/docs`);
      await page.keyboard.press('/');
      await page.getByRole('option').first().waitFor();
      await assertAccessible(page);
      await page.getByRole('combobox', COMBOBOX).fill('estorno');
      await page.getByRole('option').filter({ hasText: 'Refund a payment' }).waitFor();
      assert.match(await page.getByRole('status').innerText(), /^\d results?$/);
      await assertAccessible(page);
      await page.getByRole('combobox', COMBOBOX).fill('xyzzyx');
      await page.getByRole('status').filter({ hasText: 'Nothing found for “xyzzyx”' }).waitFor();
      assert.equal(await page.getByRole('combobox', COMBOBOX).getAttribute('aria-expanded'), 'false');
      await assertAccessible(page);
      await page.close();
    }
  });

  test('on a phone it fills the screen and does not scroll sideways', async () => {
    const { page } = await watchedPage(browser, service.url, { screen: PHONE });
    await page.goto(`${service.url}/docs/guides/errors`);
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('combobox', COMBOBOX).fill('pagamento recusado');
    await page.getByRole('option').filter({ hasText: 'Refused payments' }).waitFor();
    assert.equal(await overflow(page), 0);
    const { width, height } = (await page.getByRole('dialog').boundingBox())!;
    assert.deepEqual([width, height], [PHONE.width, PHONE.height]);
    await assertAccessible(page);
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.close();
  });

  test('it says that the index cannot be loaded, and retries', async () => {
    const page = await open('/docs');
    await page.route('**/docs/search.json', (route) => route.fulfill({ status: 503 }));
    await page.keyboard.press('/');
    await page.getByRole('status').filter({ hasText: 'could not be loaded' }).waitFor();
    await page.unroute('**/docs/search.json');
    await page.getByRole('combobox', COMBOBOX).fill('estorno');
    await page.getByRole('option').filter({ hasText: 'Refund a payment' }).waitFor();
  });

  test('an address with ?search opens it and loses that parameter', async () => {
    const page = await open('/docs?search');
    await page.getByRole('combobox', COMBOBOX).waitFor();
    assert.equal(new URL(page.url()).search, '');
  });

  test('in the reference an operation, a chapter and an event are found and shown', async () => {
    const page = await open('/docs/reference');
    for (const [query, title, hash] of [
      ['estorno', 'Refund a payment', /^#tag\/payments\/POST\/payments\/(\{|%7B)\w+(\}|%7D)\/refunds$/],
      ['3ds', 'Not yet: 3-D Secure', /^#description\/not-yet-3-d-secure/],
      ['payment.refused', 'A payment is refused', /^#webhook\/POST\/paymentrefused$/],
    ] as const) {
      await search(page, query);
      await page.getByRole('option').filter({ hasText: title }).first().click();
      await page.waitForURL((url) => hash.test(url.hash));
      const heading = page.getByRole('heading', { name: title }).filter({ visible: true }).first();
      await heading.waitFor();
      await page.waitForFunction(`(${IS_IN_VIEW})(${JSON.stringify(title)})`, undefined, { polling: 100 });
    }
  });

  test('every result in the reference exists', async () => {
    const page = await open('/docs/reference');
    const index = (await (await fetch(`${service.url}/docs/search.json`)).json()) as SearchIndex;
    const places = entriesOf(index)
      .map(({ href }) => href)
      .filter((href) => href.startsWith('/docs/reference#'));
    assert.ok(places.length >= 40, `only ${places.length} places`);
    const missing = await page.evaluate(`(() => {
      const ids = new Set();
      const visit = ({ id, children = [] }) => {
        ids.add(id.replace(/^[^/]*\\//, ''));
        children.forEach(visit);
      };
      dataDumpWorkspace().workspace.activeDocument['x-scalar-navigation'].children.forEach(visit);
      return ${JSON.stringify(places)}.filter((href) => !ids.has(href.split('#')[1]));
    })()`);
    assert.deepEqual(missing, []);
  });
});
