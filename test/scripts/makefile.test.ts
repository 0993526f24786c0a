import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { NODE_FLAGS } from '../../scripts/bench/processes.ts';
import { ROOT } from '../../scripts/clients/places.ts';

/** The last command that make would run. */
const command = (...words: string[]): string => commands(...words).at(-1)!;

/** Every command that make would run. */
function commands(...words: string[]): string[] {
  // Without the options of the make that runs the tests.
  const { MAKEFLAGS, MAKELEVEL, MFLAGS, ...env } = process.env;
  return execFileSync('make', ['-n', ...words], { cwd: ROOT, encoding: 'utf8', env })
    .trim()
    .split('\n')
    .map((line) => line.trim());
}

test('a rehearsal of the bench writes no files', () => {
  assert.equal(command('bench', 'REHEARSE=yes'), 'exec node scripts/bench.ts --rehearse');
  assert.equal(command('bench'), 'exec node scripts/bench.ts');
});

test('the README and the bench start a process with the options of make start', () => {
  const started = command('start');
  const options = started.match(/--[a-z-]+(=\d+)?/g)!;
  assert.deepEqual(NODE_FLAGS, options);
  const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
  assert.ok(readme.includes(`node_modules/.bin/node ${options.join(' ')} main.ts`));
});

test('make histories runs others each time, unless it repeats some', () => {
  const run = 'exec node --test test/simulation/histories.test.ts test/simulation/false-reports.test.ts';
  assert.equal(command('histories', 'HISTORIES=7', 'SEED=3'), `HISTORIES='7' SEED='3' ${run}`);
  assert.match(command('histories'), /^HISTORIES='5000' SEED='[1-9][0-9]*' exec node /);
});

test('make breaking compares the current spec/, as npm does', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const made = commands('breaking').slice(-2);
  assert.equal(made.join(' && ').replace('exec ', ''), scripts.breaking);
});
