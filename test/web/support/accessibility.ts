import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { until } from '../../support/until.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

interface AxeResults {
  readonly violations: readonly {
    readonly id: string;
    readonly impact: string | null;
    readonly nodes: readonly { readonly target: readonly unknown[] }[];
  }[];
}

/** What axe finds serious or critical in `scope` of the page: rule and places. */
export async function seriousViolations(page: Page, scope = 'html'): Promise<string[]> {
  if (await page.evaluate("typeof axe === 'undefined'")) await page.evaluate(AXE);
  const { violations } = (await page.evaluate(
    `axe.run(${JSON.stringify(scope)}, { resultTypes: ['violations'] })`,
  )) as AxeResults;
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
}

/** The page is quiet when nothing in it has changed for so long. */
const QUIET_MS = 250;

/** Resolves once the page is quiet. The renderer of the reference and its scripts change the page for some seconds. */
async function untilQuiet(page: Page): Promise<void> {
  await page.evaluate(`(() => {
    window.lastChange = performance.now();
    if (window.changes) return;
    window.changes = new MutationObserver(() => (window.lastChange = performance.now()));
    window.changes.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  })()`);
  await until('the page is quiet', () =>
    page.evaluate(`performance.now() - window.lastChange > ${QUIET_MS}`),
  );
}

/**
 * Fails with what axe finds serious once the page is quiet. On a busy machine a page can be quiet before it is
 * complete, so a page with faults is checked again.
 */
export async function assertAccessible(page: Page): Promise<void> {
  let faults: string[] = [];
  const isAccessible = async () => {
    await untilQuiet(page);
    faults = await seriousViolations(page);
    return faults.length === 0;
  };
  await until('axe finds nothing', isAccessible).catch((error: unknown) => {
    assert.deepEqual(faults, []);
    // The page was not checked: it was never quiet, or axe itself failed.
    throw error;
  });
}
