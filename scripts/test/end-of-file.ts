/**
 * Loaded before each test file (scripts/test/files.ts). The process of a file ends by itself after its tests, unless
 * one of them left something open. It is then ended here, as failed, with a line that says what is open.
 *
 * Node's own `--test-force-exit` lets such a file pass, and can end it before its reporter has reported all tests.
 */
import { relative } from 'node:path';
import { after } from 'node:test';

/** Time for the file's hooks to close everything after the last test. */
const GRACE_MS = Number(process.env.TEST_GRACE_MS ?? 120_000);

/** Reading them opens their pipes, which the file is not to blame for. */
const { stdout, stderr } = process;
const fromTheStart = process.getActiveResourcesInfo();

after(() => {
  setTimeout(endAsFailed, GRACE_MS).unref();
});

function endAsFailed(): void {
  const file = relative(process.cwd(), process.argv[1]!);
  stderr.write(
    `${file} left something open: ${GRACE_MS} ms after its last test it still holds ${stillOpen()}.\n`,
  );
  process.exitCode = 1;
  // The test runner unpipes stdout when its reporter is done. What is written then is written last.
  stdout.once('unpipe', () => stdout.write('', () => process.exit()));
  // Node emits this when nothing is left to do, and the test runner then closes its report.
  process.emit('beforeExit', 1);
}

function stillOpen(): string {
  const left = process.getActiveResourcesInfo();
  for (const name of fromTheStart) {
    const index = left.indexOf(name);
    if (index >= 0) left.splice(index, 1);
  }
  return [...new Set(left)].join(', ');
}
