/** Browsers that keep storage or clipboard from a page: by the reader's settings, or as it came by http. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestService } from '../support/service.ts';
import { missingBrowser, openBrowser, watchedPage } from './support/chromium.ts';

const KEEP_BACK = `
  Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('kept back', 'SecurityError'); } });
  Object.defineProperty(window, 'sessionStorage', { get() { throw new DOMException('kept back', 'SecurityError'); } });
  Object.defineProperty(navigator, 'clipboard', { value: undefined });`;

test('guides and reference work in a browser without storage and clipboard', {
  skip: missingBrowser(),
}, async () => {
  await using service = await startTestService();
  const browser = await openBrowser();
  try {
    const { page, complaints } = await watchedPage(browser, service.url, { colorScheme: 'dark' });
    await page.addInitScript(KEEP_BACK);
    await page.goto(`${service.url}/docs/guides/quick-start`);
    const isDark = () => page.evaluate("document.documentElement.classList.contains('dark')");
    assert.equal(await isDark(), true);
    await page.getByRole('button', { name: 'Show light colours' }).click();
    await page.getByRole('button', { name: 'Show dark colours' }).waitFor();
    assert.equal(await isDark(), false);

    const sample = page.locator('main .code').first();
    await sample.getByRole('button', { name: 'Copy' }).click();
    await sample.getByRole('button', { name: 'Selected' }).waitFor();
    const selected = String(await page.evaluate('getSelection().toString()'));
    assert.equal(selected.trim(), (await sample.locator('code').innerText()).trim());
    assert.deepEqual(complaints, []);

    await page.keyboard.press('/');
    await page.getByRole('combobox').fill('estorno');
    await page.getByRole('option').filter({ hasText: 'Refund a payment' }).first().click();
    await page.waitForURL(/\/docs\/reference#tag\/payments/);
    await page.getByRole('heading', { name: 'Rate limits' }).waitFor();
    await page.locator('body.dark-mode').waitFor();
  } finally {
    await browser.close();
  }
});
