import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { runStory } from '../../scripts/clients/run-story.ts';
import { runProgram } from '../scripts/support/admin.ts';

describe('a client without a working tool is skipped with a reason', () => {
  const { PATH } = process.env;
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'centavo-tools-'));
    process.env.PATH = folder;
  });
  afterEach(async () => {
    process.env.PATH = PATH;
    await rm(folder, { recursive: true });
  });

  const tool = async (name: string, script: string, mode = 0o755) => {
    await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`);
    await chmod(join(folder, name), mode);
  };
  /** The reported result; the service gets no request. */
  const skipped = async (name: string) => {
    const { counts, report } = await runStory(name, '', undefined as never, new AbortController().signal);
    assert.deepEqual(counts, { passed: 0, failed: 0, skipped: 1 });
    return report.join('\n');
  };
  const RUST = 'Install Rust 1.85 or newer, then run `make test-clients CLIENT=rust`.';

  test('the tool is missing', async () => {
    assert.equal(await skipped('rust'), `SKIPPED rust: cargo is missing. ${RUST}`);
  });

  test('the tool of another generator than openapi-generator is missing', async () => {
    assert.equal(
      await skipped('oapi-codegen'),
      'SKIPPED oapi-codegen: go is missing. Install Go 1.25 or newer, then run `make test-clients CLIENT=oapi-codegen`.',
    );
  });

  test('only clients of openapi-generator need Java', async () => {
    const { TEST_DATABASE_URL } = process.env;
    const database = TEST_DATABASE_URL === undefined ? {} : { TEST_DATABASE_URL };
    const run = await runProgram(process.execPath, ['scripts/test-clients.ts', 'go', 'oapi-codegen'], {
      PATH: folder,
      CI: 'true',
      ...database,
    });
    assert.match(run.stdout, /^SKIPPED go: Java 11 or newer is needed, and java is missing\.$/m);
    assert.match(run.stdout, /^SKIPPED oapi-codegen: go is missing\. /m);
    assert.match(run.stdout, /\n0 passed, 2 failed\n$/);
    assert.equal(run.status, 1);
  });

  test('the tool fails', async () => {
    await tool('cargo', `echo 'error: no default toolchain.' >&2; echo 'help: set one' >&2; exit 1`);
    assert.equal(
      await skipped('rust'),
      `SKIPPED rust: cargo does not run (error: no default toolchain.). ${RUST}`,
    );
  });

  test('the tool fails like Python, which prints the reason last', async () => {
    const lines = ['Traceback (most recent call last):', '  File "<string>", line 1', 'Error: No ensurepip'];
    await tool('python3', `printf '%s\\n' '${lines.join("' '")}' >&2; exit 1`);
    assert.match(await skipped('python'), /^SKIPPED python: python3 does not run \(Error: No ensurepip\)\. /);
  });

  test('the tool fails without output, or is not executable', async () => {
    await tool('cargo', 'exit 3');
    assert.match(await skipped('rust'), /cargo does not run \(it ends with 3\)\. /);
    await tool('cargo', 'kill -9 $$');
    assert.match(await skipped('rust'), /cargo does not run \(it ends with SIGKILL\)\. /);
    await tool('cargo', 'exit 0', 0o644);
    assert.match(await skipped('rust'), /cargo does not run \(it ends with EACCES\)\. /);
  });
});
