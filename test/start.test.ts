import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { runProgram } from './scripts/support/admin.ts';
import { type TestDatabase, testDatabase } from './support/database.ts';
import { sql } from './support/embedded-postgres.ts';

const ROOT = join(import.meta.dirname, '..');
const PRODUCTION = {
  PAYMENTS_ENV: 'production',
  VAULT_KEYS: Buffer.alloc(32, 1).toString('base64'),
  KEY_PEPPER: 'p'.repeat(32),
  ACQUIRER_URL: 'https://acquirer.test',
  ACQUIRER_SECRET: 'a secret shared with the acquirer',
};

/** What a start that ends at once says; fails unless that is one sentence and nothing else. */
async function refusal(env: Record<string, string>): Promise<string> {
  const main = [join(ROOT, 'main.ts')];
  const { stdout, stderr, status } = await runProgram(process.execPath, main, { LOG_LEVEL: 'warn', ...env });
  assert.deepEqual({ stdout, status }, { stdout: '', status: 1 });
  assert.match(stderr, /^[^\n]+[.?]\n$/);
  return stderr.trimEnd();
}

describe('a start that cannot be', () => {
  let database: TestDatabase;
  let dataDir: string;
  before(async () => {
    database = await testDatabase();
    dataDir = await mkdtemp(join(tmpdir(), 'centavo-start-'));
  });
  after(async () => {
    await database.drop();
    await rm(dataDir, { recursive: true });
  });

  it('says that nothing answers at DATABASE_URL', async () => {
    assert.equal(
      await refusal({ ...PRODUCTION, DATABASE_URL: 'postgres://centavo:planted@127.0.0.1:1/centavo' }),
      'The database cannot be reached (DATABASE_URL): connect ECONNREFUSED 127.0.0.1:1.',
    );
  });

  it('says that there is no such database', async () => {
    const nowhere = new URL(database.url);
    nowhere.pathname = '/nowhere';
    assert.equal(
      await refusal({ ...PRODUCTION, DATABASE_URL: nowhere.href }),
      'The database cannot be reached (DATABASE_URL): database "nowhere" does not exist.',
    );
  });

  it('says that the database is not the role’s to write', async () => {
    const url = new URL(database.url);
    const empty = `${url.pathname.slice(1)}_empty`;
    await sql(database.url, `create database ${empty}`);
    await sql(database.url, `create role ${empty} login`);
    try {
      url.pathname = `/${empty}`;
      url.username = empty;
      assert.equal(
        await refusal({ ...PRODUCTION, DATABASE_URL: url.href }),
        'The database cannot be written (DATABASE_URL): permission denied for schema public.',
      );
    } finally {
      await sql(database.url, `drop database ${empty}`);
      await sql(database.url, `drop role ${empty}`);
    }
  });

  it('says that this version is older than the database', async () => {
    await sql(database.url, `insert into schema_migrations values ('999-later.sql', '2030-01-01')`);
    assert.equal(
      await refusal({ ...PRODUCTION, DATABASE_URL: database.url }),
      'The database has migrations that this version does not know: 999-later.sql.',
    );
    await sql(database.url, `delete from schema_migrations where name = '999-later.sql'`);
  });

  it('says that VAULT_KEYS are not those of this database', async () => {
    const env = { ...PRODUCTION, DATABASE_URL: database.url };
    const admin = ['scripts/admin.ts', 'merchant', 'list'];
    assert.equal((await runProgram(process.execPath, admin, env)).status, 0);
    const VAULT_KEYS = Buffer.alloc(32, 2).toString('base64');
    assert.match(await refusal({ ...env, VAULT_KEYS }), /^No key of VAULT_KEYS opens the vault/);
  });
});
