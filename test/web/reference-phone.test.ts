/** The reference on phones as wide as they are sold: nothing moves sideways, and what was looked for can be read. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { startTestService, type TestService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { missingBrowser, openBrowser, overflow, watchedPage } from './support/chromium.ts';

/** The chapters with the longest titles, and one whose title is short. */
const CHAPTERS = ['Not yet: more of subscriptions', 'Not yet: 3-D Secure', 'Rate limits (429)'];

/** The lower edge of the fixed bar. Its menu may be open below it. */
const BAR_BOTTOM = `document.querySelector('.t-doc__header header').getBoundingClientRect().bottom`;

/** How many pixels of a heading the fixed bar covers; negative if the heading is below the bar. */
async function hidden(page: Page, title: string): Promise<number> {
  const heading = await page.getByRole('heading', { name: title }).first().boundingBox();
  return ((await page.evaluate(BAR_BOTTOM)) as number) - (heading?.y ?? Number.POSITIVE_INFINITY);
}

/** Finds a chapter as a reader on a phone does, and taps it. */
async function lookUp(page: Page, title: string): Promise<void> {
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('combobox').fill(title);
  await page.getByRole('option').filter({ hasText: title }).first().click();
}

describe('the reference on a phone', { skip: missingBrowser() }, () => {
  let service: TestService;
  let browser: Browser;
  before(async () => {
    [service, browser] = await Promise.all([startTestService(), openBrowser()]);
  });
  after(() => Promise.all([browser?.close(), service?.stop()]));

  for (const width of [360, 390, 412])
    describe(`${width} wide`, () => {
      let page: Page;
      before(async () => {
        ({ page } = await watchedPage(browser, service.url, { screen: { width, height: 840 } }));
        await page.goto(`${service.url}/docs/reference`);
        await page.getByRole('heading', { name: 'Repeating a request' }).waitFor();
      });
      after(() => page?.close());

      test('it does not scroll sideways', async () => {
        assert.equal(await overflow(page), 0);
      });

      for (const title of CHAPTERS)
        test(`${title}: the heading is below the bar, and the page does not scroll sideways`, async () => {
          await lookUp(page, title);
          await page.locator('.t-doc__header').getByText(title).waitFor();
          let top = 0;
          const isThere = async () => {
            top = await hidden(page, title);
            return top <= 0 && top > -100;
          };
          await until('the heading is below the bar', isThere).catch(() =>
            assert.fail(`The heading is ${top} px under the bar.`),
          );
          assert.equal(await overflow(page), 0);
        });
    });
});
