import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { isRunning } from './embedded-postgres.ts';
import { until } from './until.ts';

/** A process that starts another, tells its id, and exits without a look at it. */
const CARELESS = `
  import { spawn } from 'node:child_process';
  import { dieWithUs } from '${new URL('./die-with-us.ts', import.meta.url)}';
  const child = dieWithUs(spawn('tail', ['-f', '/dev/null'], { stdio: 'ignore' }));
  child.once('spawn', () => {
    process.stdout.write(String(child.pid));
    process.exit();
  });`;

test('a child is gone after the process that did not stop it', async () => {
  const args = ['--input-type=module', '-e', CARELESS];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  assert.match(stdout, /^\d+$/);
  await until('the child is gone', () => !isRunning(Number(stdout)));
});
