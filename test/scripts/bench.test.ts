import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { FULL, REHEARSAL } from '../../scripts/bench/pace.ts';
import { TITLES } from '../../scripts/bench/tables.ts';

const ROOT = join(import.meta.dirname, '../..');
const HEADINGS = /^## .*$/gm;

const PAGE = readFileSync(join(ROOT, 'scripts/bench/results.md'), 'utf8');
/** A person writes this into the page when the bench has changed and was not run since. The bench does not write it. */
const IS_OLD = /^An earlier version of the bench measured this table: .*\.$/m;

/** For a busy machine. An idle one takes less than a minute. */
const TIMEOUT_MS = 30 * 60_000;

/** The head of the table of growth. */
function growthHead(rows: readonly number[]): string {
  return `| Operation | ${rows.map((count) => count.toLocaleString('en')).join(' | ')} | Last / first |`;
}

/** The rehearsal also compares the answers of both sides, and fails when they differ. */
test('the bench runs completely, and prints the same sections as the committed page', {
  timeout: TIMEOUT_MS,
}, async () => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(ROOT, 'scripts/bench.ts'), '--rehearse'],
    { timeout: TIMEOUT_MS },
  );
  assert.deepEqual(stdout.match(HEADINGS), PAGE.match(HEADINGS));
  const [, growth] = stdout.split('## Growth');
  assert.ok(growth!.includes(`\n${growthHead(REHEARSAL.rows)}\n`));
  for (const title of Object.values(TITLES)) {
    for (const page of [stdout, PAGE]) assert.ok(page.includes(`| ${title} |`), title);
    const figures = growth!.split('\n').find((line) => line.startsWith(`| ${title} |`));
    assert.match(figures!.slice(title.length + 4), /^( [\d,]+ \|){3} /, title);
  }
});

test('the committed table of growth has the sizes and operations of the bench, or says that it is old', () => {
  const [, growth] = PAGE.split('## Growth');
  const isMeasured = growth!.includes(`\n${growthHead(FULL.rows)}\n`) && !growth!.includes('| – |');
  assert.notEqual(
    isMeasured,
    IS_OLD.test(growth!),
    'run make bench, or say in the page what has changed since',
  );
});
