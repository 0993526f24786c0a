import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { TITLES } from '../../scripts/bench/tables.ts';

const ROOT = join(import.meta.dirname, '../..');
const HEADINGS = /^## .*$/gm;

/** For a busy machine. An idle one takes less than a minute. */
const TIMEOUT_MS = 30 * 60_000;

/** The rehearsal also compares the answers of both sides, and fails when they differ. */
test('the bench runs completely, and prints the same sections as the committed page', {
  timeout: TIMEOUT_MS,
}, async () => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(ROOT, 'scripts/bench.ts'), '--rehearse'],
    { timeout: TIMEOUT_MS },
  );
  const committed = readFileSync(join(ROOT, 'scripts/bench/results.md'), 'utf8');
  assert.deepEqual(stdout.match(HEADINGS), committed.match(HEADINGS));
  const [, growth] = stdout.split('## Growth');
  for (const title of Object.values(TITLES)) {
    for (const page of [stdout, committed]) assert.ok(page.includes(`| ${title} |`), title);
    const figures = growth!.split('\n').find((line) => line.startsWith(`| ${title} |`));
    assert.match(figures!.slice(title.length + 4), /^( [\d,]+ \|){3} /, title);
  }
});
