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

/** Fails with what axe finds serious. It asks again for a while, as the renderer and reference-names.js take time. */
export async function assertAccessible(page: Page): Promise<void> {
  let faults: string[] = [];
  const isSound = async () => {
    faults = await seriousViolations(page);
    return faults.length === 0;
  };
  await until('axe finds nothing', isSound).catch(() => assert.deepEqual(faults, []));
}
