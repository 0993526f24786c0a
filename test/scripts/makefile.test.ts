import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { ROOT } from '../../scripts/clients/places.ts';

/** The last command that make would run. */
function command(...words: string[]): string {
  // The make that runs the tests is none of its business.
  const { MAKEFLAGS, MAKELEVEL, MFLAGS, ...env } = process.env;
  return execFileSync('make', ['-n', ...words], { cwd: ROOT, encoding: 'utf8', env })
    .trim()
    .split('\n')
    .at(-1)!
    .trim();
}

test('the bench can be rehearsed, which writes nothing', () => {
  assert.equal(command('bench', 'REHEARSE=yes'), 'exec node scripts/bench.ts --rehearse');
  assert.equal(command('bench'), 'exec node scripts/bench.ts');
});
