import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { readGuides } from '../../web/guides.ts';
import { startTestService, type TestService } from '../support/service.ts';
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

/** The renderer's own checker does not accept a reference next to null. The contract's linter does. */
const RENDERERS_OWN = /document validation errors|\[Object/;

/** The errors of the page, and its requests to other hosts, since the last call. */
function newComplaints({ complaints, outside }: Watched) {
  const ours = complaints.splice(0).filter((line) => !RENDERERS_OWN.test(line));
  return { complaints: ours, outside: outside.splice(0) };
}

/** Presses Tab until an element with these words has the focus. */
async function tabTo(page: Page, words: RegExp): Promise<void> {
  for (let press = 0; press < 60; press += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate("(document.activeElement?.textContent ?? '').trim()");
    if (words.test(focused as string)) return;
  }
  assert.fail(`Tab does not lead to ${words}`);
}

describe('the docs in a browser', { skip: missingBrowser() }, async () => {
  let service: TestService;
  let browser: Browser;
  before(async () => {
    [service, browser] = await Promise.all([startTestService(), openBrowser()]);
  });
  after(() => Promise.all([browser?.close(), service?.stop()]));

  /** Opens the reference, which takes a browser seconds. */
  async function openReference(options: Parameters<typeof watchedPage>[2]) {
    const watched = await watchedPage(browser, service.url, options);
    await watched.page.goto(`${service.url}/docs/reference`);
    await watched.page.getByRole('heading', { name: 'Centavo payments API' }).waitFor();
    return watched;
  }

  for (const [name, screen] of [
    ['desktop', DESKTOP],
    ['phone', PHONE],
  ] as const) {
    describe(`the reference on a ${name}`, () => {
      let reference: Watched;
      before(async () => {
        reference = await openReference({ screen });
      });
      after(() => reference?.page.close());
      afterEach(() => assert.deepEqual(newComplaints(reference), { complaints: [], outside: [] }));

      test('there are no errors and no requests to other hosts', async () => {
        const { page } = reference;
        await page.getByRole('heading', { name: 'Repeating a request' }).waitFor();
        assert.deepEqual(newComplaints(reference), { complaints: [], outside: [] });
        await assertAccessible(page);
        assert.equal(await overflow(page), 0);
      });

      if (screen === PHONE) {
        test('the choice of light or dark holds for guides and reference', async () => {
          const { page } = reference;
          await page.goto(`${service.url}/docs/guides/quick-start`);
          await page.getByRole('button', { name: 'Show dark colours' }).click();
          await page.getByRole('link', { name: 'Reference', exact: true }).click();
          await page.locator('body.dark-mode').waitFor();
          await page.getByRole('button', { name: 'Show light colours' }).click();
          await page.locator('body.light-mode').waitFor();
          await page.getByRole('link', { name: 'Guides' }).click();
          await page.locator('html.light').waitFor();
        });

        test('its menu is accessible', async () => {
          const { page } = reference;
          await page.goto(`${service.url}/docs/reference`);
          await page.getByRole('button', { name: 'Open Menu' }).click();
          await page.getByRole('button', { name: 'Close Menu' }).waitFor();
          await assertAccessible(page);
        });
        return;
      }

      test('samples exist in many languages', async () => {
        const text = await reference.page.locator('main').first().innerText();
        for (const language of ['Shell', 'Ruby', 'Node.js', 'PHP', 'Python'])
          assert.ok(text.includes(language), `samples in ${language}`);
        const { page } = reference;
        await page
          .getByRole('tab', { name: /select from all clients/i })
          .first()
          .click();
        // By a library of each: Go, Java, C#, Kotlin or Java, Rust, JavaScript.
        for (const library of ['NewRequest', 'java.net.http', 'RestSharp', 'OkHttp', 'reqwest', 'Axios'])
          await page.getByRole('option', { name: library, exact: true }).first().waitFor();
        await page.keyboard.press('Escape');
      });

      test('a request gets 200 with the demo key, which is filled in', async () => {
        const { page } = reference;
        await page.goto(`${service.url}/docs/reference#tag/account/GET/merchant`);
        await page
          .getByRole('button', { name: /test request/i })
          .first()
          .click();
        const answered = page.waitForResponse((response) => response.url().endsWith('/api/v1/merchant'));
        await page.getByRole('button', { name: /^send/i }).first().click();
        const answer = await answered;
        assert.equal(answer.status(), 200);
        assert.equal((await answer.json()).name, 'Loja Demonstração');
        await page.getByText('200 OK').waitFor();
        await assertAccessible(page);
      });

      test('an operation can be opened, edited and sent by keyboard', async () => {
        const { page } = reference;
        await page.goto(`${service.url}/docs/reference`);
        await page.getByRole('heading', { name: 'Centavo payments API' }).waitFor();
        await page.keyboard.press('Control+k');
        await page.keyboard.type('Read your account');
        await page.getByRole('option').filter({ hasText: 'Read your account' }).first().waitFor();
        await page.keyboard.press('Enter');
        await page.waitForURL(/GET\/merchant$/);
        await tabTo(page, /^Test Request/);
        await page.keyboard.press('Enter');
        await page.getByRole('button', { name: /^send/i }).first().waitFor();
        await tabTo(page, /^Send/);
        await page.keyboard.press('Enter');
        await page.getByText('200 OK').waitFor();
      });
    });
  }

  const guides = (await readGuides()).map(({ slug }) => `/docs/guides/${slug}`);
  for (const [screen, colorScheme] of [
    [DESKTOP, 'light'],
    [PHONE, 'dark'],
  ] as const) {
    // One page goes through all of them, as a reader does: what a browser has once loaded, it loads no more.
    describe(`${colorScheme}, ${screen.width} wide: there are no errors, and the page is accessible`, () => {
      let reader: Watched;
      before(async () => {
        reader = await watchedPage(browser, service.url, { screen, colorScheme });
      });
      after(() => reader?.page.close());

      for (const path of ['/docs', ...guides, '/docs/demo', '/docs/webhook-tester']) {
        test(path, async () => {
          const { page } = reader;
          await page.goto(`${service.url}${path}`);
          await assertAccessible(page);
          assert.equal(await overflow(page), 0);
          assert.deepEqual(newComplaints(reader), { complaints: [], outside: [] });
        });
      }
    });
  }
});
