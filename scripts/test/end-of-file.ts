/**
 * Loaded into each test file's process before the file (scripts/test/files.ts). A process ends by itself once its tests
 * are over, unless one of them left something open; then it is ended here, as failed, with a line that says what.
 *
 * Node's own `--test-force-exit` would let such a file pass, and can end it before its reporter has told of all tests.
 */
import { relative } from 'node:path';
import { after } from 'node:test';

/** Between the last test and the end, for what the file's own hooks have to close. */
const GRACE_MS = Number(process.env.TEST_GRACE_MS ?? 30_000);

/** Looked at first: that makes their pipes, which hold nothing up and are no fault of the file. */
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
  // The test runner lets go of stdout when its reporter has told everything, and what is written then is written last.
  stdout.once('unpipe', () => stdout.write('', () => process.exit()));
  // Node's sign that nothing is left to do, on which the test runner closes its report.
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
