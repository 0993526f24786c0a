import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { ROOT } from '../../scripts/clients/places.ts';

const HEADINGS = /^## .*$/gm;

/** For a busy machine. */
const TIMEOUT_MS = 30 * 60_000;

test('the bench of webhooks runs completely, and prints the same sections as the committed page', {
  timeout: TIMEOUT_MS,
}, async () => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(ROOT, 'scripts/bench-webhooks.ts'), '--rehearse'],
    { timeout: TIMEOUT_MS },
  );
  const committed = readFileSync(join(ROOT, 'scripts/bench/webhooks.md'), 'utf8');
  assert.deepEqual(stdout.match(HEADINGS), committed.match(HEADINGS));
});
