import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { TITLES } from '../../scripts/bench/tables.ts';

const ROOT = join(import.meta.dirname, '../..');
const HEADINGS = /^## .*$/gm;

/** The rehearsal also holds both sides' answers against each other: where one does less, it fails. */
test('the bench runs from its first row to its last, and its page is the one that is committed', async () => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(ROOT, 'scripts/bench.ts'), '--rehearse'],
    { timeout: 180_000 },
  );
  const committed = readFileSync(join(ROOT, 'scripts/bench/results.md'), 'utf8');
  assert.deepEqual(stdout.match(HEADINGS), committed.match(HEADINGS));
  for (const title of Object.values(TITLES)) {
    for (const page of [stdout, committed]) assert.ok(page.includes(`| ${title} |`), title);
  }
});
