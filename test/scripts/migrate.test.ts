import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { runProgram } from './support/admin.ts';

const ROOT = join(import.meta.dirname, '../..');
const DONE = 'The database has the newest schema.';

const migrate = (env: Readonly<Record<string, string>>) =>
  runProgram(process.execPath, [join(ROOT, 'scripts/migrate.ts')], env);

test('migrate prints each migration that it applies, and none the second time', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'centavo-migrate-'));
  try {
    const files = (await readdir(join(ROOT, 'db/migrations'))).filter((name) => name.endsWith('.sql')).sort();
    const first = await migrate({ DATA_DIR: dataDir });
    assert.deepEqual({ status: first.status, stderr: first.stderr }, { status: 0, stderr: '' });
    assert.deepEqual(first.stdout.trimEnd().split('\n'), [
      ...files.map((name) => `applied migration ${name}`),
      DONE,
    ]);
    assert.deepEqual(await migrate({ DATA_DIR: dataDir }), { status: 0, stdout: `${DONE}\n`, stderr: '' });
  } finally {
    await rm(dataDir, { recursive: true });
  }
});

test('migrate reports an error in one sentence', async () => {
  assert.deepEqual(await migrate({ DATABASE_URL: 'db.example' }), {
    status: 1,
    stdout: '',
    stderr: 'DATABASE_URL must be a postgres:// address.\n',
  });
  const { status, stderr } = await migrate({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' });
  assert.equal(status, 1);
  assert.match(stderr, /^The database cannot be reached \(DATABASE_URL\): [^\n]+\n$/);
});
