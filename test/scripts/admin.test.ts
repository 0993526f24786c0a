import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { startEmbeddedPostgres } from '../../db/engine/embedded-postgres.ts';
import { parseApiKey } from '../../domain/merchants/api-key.ts';
import { runProgram } from './support/admin.ts';
import { type AdminDatabase, adminDatabase, type CreatedMerchant } from './support/admin-database.ts';

let admin: AdminDatabase;
before(async () => {
  admin = await adminDatabase();
});
after(() => admin.remove());

const NPM_ADMIN = ['run', '-s', 'admin', '--'];

describe('the command line', () => {
  test('prints one JSON document and nothing else with --json by npm, even on an error', async () => {
    const { stdout, stderr, status } = await runProgram(
      'npm',
      [...NPM_ADMIN, 'merchant', 'list', '--json'],
      admin.env,
    );
    assert.deepEqual(
      { document: JSON.parse(stdout), stderr, status },
      { document: [], stderr: '', status: 0 },
    );
    const refused = await runProgram('npm', [...NPM_ADMIN, 'key', 'list', '--json'], admin.env);
    assert.deepEqual(refused, {
      stdout: '',
      stderr: "Required option '--merchant <id>' not specified.\n",
      status: 1,
    });
  });

  test('prints --help to stdout with status 0', async () => {
    assert.match(
      (await admin.run('--help')).stdout,
      /^Usage: .*\n(.*\n)* {2}merchant create .*\n(.*\n)* {2}key revoke <key-id> /,
    );
    assert.match(
      (await admin.run('key', 'create', '--help')).stdout,
      /^Usage: npm run -s admin -- key create .*\n(.*\n)* {2}--merchant <id> .*\n/,
    );
  });

  test('reports an unknown command, and suggests a similar one', async () => {
    await admin.refused(['merchant', 'remove'], /^Unknown command 'remove'.* --help lists all commands\.$/);
    await admin.refused(['merchants'], /^Unknown command 'merchants' \(Did you mean merchant\?\)\. /);
    await admin.refused([], /^A command is needed\. npm run -s admin -- --help lists all commands\.$/);
    await admin.refused(['merchant'], /^A command is needed\. /);
  });
});

describe('the configuration', () => {
  const administer = async (env: Record<string, string>, ...args: string[]) =>
    runProgram(process.execPath, ['scripts/admin.ts', ...args, '--json'], { ...admin.env, ...env });

  test('creates production keys in production, and needs its secrets but no acquirer', async () => {
    const env = { PAYMENTS_ENV: 'production', VAULT_KEYS: randomBytes(32).toString('base64') };
    const refused = await administer({ ...env, VAULT_KEYS: '' }, 'merchant', 'list');
    assert.deepEqual(refused, { stdout: '', stderr: 'VAULT_KEYS must be set in production.\n', status: 1 });
    const other = await adminDatabase();
    try {
      const { stdout } = await administer(
        { ...env, DATABASE_URL: other.env.DATABASE_URL! },
        'merchant',
        'create',
        '--name',
        'Banca',
      );
      assert.equal(parseApiKey((JSON.parse(stdout) as CreatedMerchant).api_key)?.environment, 'production');
    } finally {
      await other.remove();
    }
  });

  test('causes one sentence for a wrong variable, an unreachable database or wrong secrets', async () => {
    const refusedWith = async (env: Record<string, string>) => {
      const { stdout, stderr, status } = await administer(env, 'merchant', 'list');
      assert.deepEqual({ stdout, status }, { stdout: '', status: 1 });
      return stderr;
    };
    assert.equal(await refusedWith({ PORT: 'x' }), 'PORT must be a whole number from 0 to 65535.\n');
    const nowhere = await refusedWith({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' });
    assert.match(nowhere, /^The database cannot be reached \(DATABASE_URL\): .*ECONNREFUSED.*\n$/);
    await admin.run('merchant', 'list');
    const foreign = await refusedWith({ VAULT_KEYS: randomBytes(32).toString('base64') });
    assert.match(foreign, /^No key of VAULT_KEYS opens the vault\. .*\n$/);
    const otherPepper = await refusedWith({ KEY_PEPPER: 'another pepper, just as long as it must be' });
    assert.match(otherPepper, /^KEY_PEPPER is not the one of this database\. .*\n$/);
  });
});

test('creates the database in an empty DATA_DIR, and uses that of a running service', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'centavo-admin-'));
  const administer = async (...args: string[]) => {
    const finished = await runProgram(process.execPath, ['scripts/admin.ts', ...args, '--json'], {
      DATA_DIR: dataDir,
    });
    assert.deepEqual({ stderr: finished.stderr, status: finished.status }, { stderr: '', status: 0 });
    return JSON.parse(finished.stdout);
  };
  try {
    const created: CreatedMerchant = await administer('merchant', 'create', '--name', 'Banca');
    await using running = new AsyncDisposableStack();
    const postgres = await startEmbeddedPostgres({ dataDir });
    running.defer(() => postgres.stop());
    assert.equal((await administer('merchant', 'show', created.merchant_id)).name, 'Banca');
    assert.ok(postgres.owned);
    const second: CreatedMerchant = await administer('merchant', 'create', '--name', 'Feira');
    const ids = ((await administer('merchant', 'list')) as CreatedMerchant[]).map(
      ({ merchant_id }) => merchant_id,
    );
    assert.deepEqual(ids, [created.merchant_id, second.merchant_id]);
  } finally {
    await rm(dataDir, { recursive: true });
  }
});

test('closing the pipe early is not an error', async () => {
  // `true` has ended long before anything is written.
  const command = `'${process.execPath}' scripts/admin.ts --help | true`;
  assert.deepEqual(await runProgram('sh', ['-c', command], {}), { status: 0, stdout: '', stderr: '' });
});
