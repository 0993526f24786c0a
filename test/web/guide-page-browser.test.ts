/** Checks of the guides' pages that a checker of accessibility does not make. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { readGuides } from '../../web/guides.ts';
import { startTestService, type TestService } from '../support/service.ts';
import { DESKTOP, missingBrowser, openBrowser, PHONE, watchedPage } from './support/chromium.ts';

/** Tables that a reader has to scroll sideways, by their first words. */
const WIDER_THAN_THEIR_PLACE = `[...document.querySelectorAll('main table')]
  .filter((table) => table.getBoundingClientRect().right > document.querySelector('main').clientWidth)
  .map((table) => table.textContent.trim().slice(0, 40))`;

/** The visible diagrams. Each diagram is drawn twice: for a wide and for a narrow page. */
const SHOWN = `[...document.querySelectorAll('svg.states')].filter((svg) => svg.checkVisibility())`;

/** The smallest letters in any diagram, in pixels as shown. */
const SMALLEST_LETTERS_PX = `Math.min(...${SHOWN}.map((svg) =>
  12 * svg.getBoundingClientRect().width / svg.viewBox.baseVal.width))`;

/** Diagrams that are more than 8 px narrower than the page, each with the difference. */
const NARROWER_THAN_THE_PAGE = `${SHOWN}.flatMap((svg) => {
  const free = svg.closest('main').querySelector('p').clientWidth - svg.clientWidth;
  return free > 8 ? [svg.ariaLabel + ': ' + free] : [];
})`;

/** Diagrams that a reader has to scroll sideways, each with the hidden pixels. */
const CUT_OFF = `[...document.querySelectorAll('.scroll:has(svg.states)')]
  .filter((box) => box.scrollWidth > box.clientWidth)
  .map((box) => box.ariaLabel + ': ' + (box.scrollWidth - box.clientWidth))`;

/** Lines of labels that an arrow crosses, because no background between the arrows and the line covers its place. */
const WITHOUT_GROUND = `${SHOWN}.flatMap((svg) => [...svg.querySelectorAll('.move tspan')]).filter((line) => {
  const text = line.getBoundingClientRect();
  return ![...line.closest('svg').querySelectorAll('rect.ground')].some((ground) => {
    const box = ground.getBoundingClientRect();
    const isBehind = ground.compareDocumentPosition(line) & Node.DOCUMENT_POSITION_FOLLOWING;
    return isBehind && box.left < text.left + 1 && box.right > text.right - 1 &&
      box.top < text.top + 3 && box.bottom > text.bottom - 3;
  });
}).map((line) => line.textContent)`;

/** Arrows of which a part is outside their diagram, so that a reader does not see it. */
const OUTSIDE = `${SHOWN}.flatMap((svg) => [...svg.querySelectorAll(':scope > path')].filter((arrow) => {
  const { x, y, width, height } = arrow.getBBox();
  const { width: right, height: bottom } = svg.viewBox.baseVal;
  return x < 0 || y < 0 || x + width > right || y + height > bottom;
}).map((arrow) => svg.ariaLabel + ': ' + arrow.getAttribute('d')))`;

/** Pairs of labels, or of a label and a status, that overlap. */
const OVER_EACH_OTHER = `${SHOWN}.flatMap((svg) => {
  const words = [...svg.querySelectorAll('.move tspan, rect:not(.ground)')];
  const boxes = words.map((word) => word.getBoundingClientRect());
  return words.flatMap((word, i) => words.slice(i + 1).filter((_, j) => {
    const [a, b] = [boxes[i], boxes[i + 1 + j]];
    return a.left < b.right && b.left < a.right && a.top + 3 < b.bottom && b.top + 3 < a.bottom;
  }).map((other) => (word.textContent || 'status') + ' / ' + (other.textContent || 'status')));
})`;

const WITH_DIAGRAMS = ['payment-states', 'subscriptions', 'subscriptions-by-boleto', 'pix-recurring'];

describe('the guides in a browser', { skip: missingBrowser() }, async () => {
  let service: TestService;
  let browser: Browser;
  before(async () => {
    [service, browser] = await Promise.all([startTestService(), openBrowser()]);
  });
  after(() => Promise.all([browser?.close(), service?.stop()]));

  async function open(path: string, options: Parameters<typeof watchedPage>[2] = {}) {
    const { page } = await watchedPage(browser, service.url, options);
    await page.goto(`${service.url}${path}`);
    return page;
  }

  test('no table is wider than a phone', async () => {
    const page = await open('/docs', { screen: PHONE });
    for (const { slug } of await readGuides()) {
      await page.goto(`${service.url}/docs/guides/${slug}`);
      assert.deepEqual(await page.evaluate(WIDER_THAN_THEIR_PLACE), [], slug);
    }
  });

  test('production offers no samples to run', async () => {
    await using production = await startTestService({
      env: {
        PAYMENTS_ENV: 'production',
        VAULT_KEYS: randomBytes(32).toString('base64'),
        KEY_PEPPER: randomBytes(32).toString('hex'),
      },
    });
    const { page } = await watchedPage(browser, production.url, {});
    for (const { slug } of await readGuides()) {
      await page.goto(`${production.url}/docs/guides/${slug}`);
      const exports = await page.locator('main pre', { hasText: /^export / }).allTextContents();
      assert.deepEqual(
        exports.filter((sample) => sample.includes(production.url)),
        [],
        slug,
      );
    }
    await page.goto(`${production.url}/docs/guides/quick-start`);
    const sample = await page.locator('main pre').first().innerText();
    assert.equal(sample.trim(), 'export BASE_URL=http://127.0.0.1:3000/api/v1\nexport API_KEY=pay_test_…');
    // Shops load the card library from this service in production too.
    await page.goto(`${production.url}/docs/guides/card-encryption`);
    assert.ok((await page.locator('main').innerText()).includes(`src="${production.url}/lib/centavo.js"`));
    // The demo has no form, because production does not store cards of a demo.
    await page.goto(`${production.url}/docs/demo`);
    assert.match(await page.locator('main').innerText(), /This is production/);
    assert.equal(await page.locator('main input').count(), 0);
    // The guide to going live is about production, so it does not show the address of a sandbox.
    await page.goto(`${production.url}/docs/guides/going-live`);
    assert.equal(await page.getByText('Before you run the samples').count(), 0);
  });

  for (const slug of WITH_DIAGRAMS) {
    describe(`the diagrams of ${slug}`, () => {
      const path = `/docs/guides/${slug}`;
      for (const screen of [DESKTOP, { width: 1000, height: 800 }, { width: 700, height: 800 }, PHONE])
        test(`have text that is large enough and arrows that are not cut off, ${screen.width} wide`, async () => {
          const page = await open(path, { screen });
          const figures = await page.locator('figure:has(svg.states)').count();
          assert.ok(figures > 0);
          assert.equal(await page.evaluate(`${SHOWN}.length`), figures);
          assert.ok(((await page.evaluate(SMALLEST_LETTERS_PX)) as number) >= 9.5);
          assert.deepEqual(await page.evaluate(WITHOUT_GROUND), []);
          assert.deepEqual(await page.evaluate(OVER_EACH_OTHER), []);
          assert.deepEqual(await page.evaluate(OUTSIDE), []);
        });

      test('are as wide as the page on a wide screen', async () => {
        const page = await open(path, { screen: DESKTOP });
        assert.deepEqual(await page.evaluate(NARROWER_THAN_THE_PAGE), []);
      });

      test('are not cut off on a phone', async () => {
        const page = await open(path, { screen: PHONE });
        assert.deepEqual(await page.evaluate(CUT_OFF), []);
      });
    });
  }

  test('the samples contain the address and the keys of this sandbox', async () => {
    const { apiKey, encryptionKey } = JSON.parse(await readFile(`${service.dataDir}/demo.json`, 'utf8'));
    const page = await open('/docs/guides/quick-start');
    const sample = await page.locator('main pre').first().innerText();
    assert.equal(sample.trim(), `export BASE_URL=${service.url}/api/v1\nexport API_KEY=${apiKey}`);
    await page.goto(`${service.url}/docs/guides/card-encryption`);
    await page.getByText('Before you run the samples').click();
    assert.ok(
      (await page.locator('details pre').innerText()).includes(`export ENCRYPTION_KEY=${encryptionKey}`),
    );
    assert.ok((await page.locator('main').innerText()).includes(`src="${service.url}/lib/centavo.js"`));
  });

  test('the printed page contains the whole text and nothing else', async () => {
    const page = await open('/docs/guides/quick-start', { colorScheme: 'dark' });
    await page.emulateMedia({ media: 'print' });
    for (const part of ['.bar', '.side', '.follow', '.copy'])
      assert.equal(await page.locator(part).first().isVisible(), false, part);
    const cut = await page.evaluate(
      `[...document.querySelectorAll('pre')].filter((pre) => pre.scrollWidth > pre.clientWidth).length`,
    );
    assert.equal(cut, 0);
    assert.equal(await page.evaluate('getComputedStyle(document.body).color'), 'rgb(0, 0, 0)');
  });
});
