import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { until } from '../support/until.ts';
import { runProgram } from './support/admin.ts';

const ROOT = join(import.meta.dirname, '../..');

/** Installs when the test lets it. */
const NPM = `#!/bin/sh
echo "npm $*" >> log
while [ ! -e go ]; do /bin/sleep 0.02; done
mkdir -p node_modules
echo whole > node_modules/.package-lock.json
echo installed >> log
`;
const SLEEP = `#!/bin/sh
echo waits >> log
exec /bin/sleep 0.02
`;

/** A bare clone. Its npm and sleep write their arguments to the file `log`. */
async function bareClone() {
  const folder = await mkdtemp(join(tmpdir(), 'centavo-install-'));
  await copyFile(join(ROOT, 'Makefile'), join(folder, 'Makefile'));
  await writeFile(join(folder, 'package-lock.json'), '{}');
  await mkdir(join(folder, 'bin'));
  await writeFile(join(folder, 'bin/npm'), NPM, { mode: 0o755 });
  await writeFile(join(folder, 'bin/sleep'), SLEEP, { mode: 0o755 });
  const PATH = [join(folder, 'bin'), dirname(process.execPath), process.env.PATH].join(':');
  return {
    folder,
    makeReady: () => runProgram('make', ['ready'], { PATH }, folder),
    log: async () => (await readFile(join(folder, 'log'), 'utf8').catch(() => '')).split('\n').slice(0, -1),
    letInstall: () => writeFile(join(folder, 'go'), ''),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}

test('two simultaneous commands in a new clone install once', async () => {
  await using clone = await bareClone();
  const both = [clone.makeReady(), clone.makeReady()];
  await until('one waits for the other', async () => (await clone.log()).includes('waits'));
  await clone.letInstall();
  for (const { status, stderr } of await Promise.all(both)) {
    assert.deepEqual({ status, stderr }, { status: 0, stderr: '' });
  }
  assert.deepEqual(
    (await clone.log()).filter((line) => line !== 'waits'),
    ['npm ci', 'installed'],
  );
  assert.ok(!(await readdir(clone.folder)).includes('.installing'));
});

test('a killed installation does not block the next one', async () => {
  await using clone = await bareClone();
  await clone.letInstall();
  const { pid } = spawnSync('true');
  await symlink(`${pid}`, join(clone.folder, '.installing'));
  assert.equal((await clone.makeReady()).status, 0);
  assert.equal((await clone.log()).at(-1), 'installed');
});
