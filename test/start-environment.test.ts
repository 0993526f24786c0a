import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { startService } from '../composition/service.ts';
import { readConfig } from '../config.ts';
import { migrate } from '../db/engine/migrate.ts';
import { openOperator } from '../scripts/admin/operator.ts';
import { returnResult } from '../services/deps.ts';
import { createMerchant } from '../services/merchants/create-merchant.ts';
import { runProgram } from './scripts/support/admin.ts';
import { type TestDatabase, testDatabase } from './support/database.ts';
import { sql } from './support/db/embedded-postgres.ts';

const ROOT = join(import.meta.dirname, '..');
const SILENT = { info() {}, warn() {}, error() {} };
const KEYS = Buffer.from(Array.from({ length: 32 }, (_, index) => index)).toString('base64');
const SECRETS = { VAULT_KEYS: KEYS, KEY_PEPPER: 'a pepper of the tests, long enough' };

const FOR_PRODUCTION =
  'PAYMENTS_ENV is sandbox, but this database was first migrated for production: name another one (DATABASE_URL or DATA_DIR), or start with PAYMENTS_ENV=production.';
const FOR_SANDBOX =
  'PAYMENTS_ENV is production, but this database was first migrated for sandbox: name another one (DATABASE_URL or DATA_DIR), or start with PAYMENTS_ENV=sandbox.';

let dataDir: string;
let database: TestDatabase;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'centavo-environment-'));
  database = await testDatabase();
});
afterEach(async () => {
  await database.drop();
  await rm(dataDir, { recursive: true });
});

function environmentOf(environment: string, env: Record<string, string> = {}): Record<string, string> {
  const where = { DATABASE_URL: database.url, DATA_DIR: dataDir, PORT: '0', INTERNAL_PORT: '0' };
  return { ...SECRETS, ...where, PAYMENTS_ENV: environment, ...env };
}

function run(script: string, environment: string, env: Record<string, string> = {}) {
  return runProgram(process.execPath, [join(ROOT, script)], environmentOf(environment, env));
}

const start = (environment: string) => startService(readConfig(environmentOf(environment)), SILENT);
const openAdmin = (environment: string) => openOperator(environmentOf(environment));

/** Fails unless the service and the admin command end with this sentence. */
async function refuses(environment: string, message: string): Promise<void> {
  await assert.rejects(start(environment), { message });
  await assert.rejects(openAdmin(environment), { message });
}

/** Has an admin command of the environment make a merchant, and so an API key. */
async function newMerchant(environment: string): Promise<void> {
  await using operator = await openAdmin(environment);
  await createMerchant(operator, { name: 'Banca' }, returnResult);
}

/** The database as it was before it remembered its environment. */
async function forget(): Promise<void> {
  await sql(
    database.url,
    "drop table database_environment; delete from schema_migrations where name like '012-%'",
  );
}

describe('a database belongs to the environment of its first migration', () => {
  test('a production database is refused by a sandbox', async () => {
    assert.equal((await run('scripts/migrate.ts', 'production')).status, 0);
    await refuses('sandbox', FOR_PRODUCTION);
    const { stdout, stderr, status } = await run('scripts/migrate.ts', 'sandbox');
    assert.deepEqual([stdout, stderr, status], ['', `${FOR_PRODUCTION}\n`, 1]);
    await (await start('production')).stop();
  });

  test('a sandbox database is refused by production', async () => {
    await (await start('sandbox')).stop();
    await refuses('production', FOR_SANDBOX);
  });

  test('one of two simultaneous starts with an empty database is refused', async () => {
    await sql(database.url, 'drop schema public cascade; create schema public');
    const results = await Promise.allSettled([
      migrate(database.url, 'sandbox'),
      migrate(database.url, 'production'),
    ]);
    assert.deepEqual(results.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
  });
});

describe('a database from before the environment was stored', () => {
  test('belongs to production if it has a live key, and is not changed', async () => {
    await newMerchant('production');
    await forget();
    // A sandbox was started on it before, and created its own key.
    await sql(
      database.url,
      `insert into api_keys (slot, merchant_id, id, name, prefix, last_4, key_hash, status, created_at)
       select slot, merchant_id, gen_random_uuid(), 'demo', 'pay_test_', '0000', '\\x00', 'active', now() from merchants`,
    );
    await refuses('sandbox', FOR_PRODUCTION);
    const applied = await sql(database.url, "select name from schema_migrations where name like '012-%'");
    assert.deepEqual(applied, [], 'it was migrated');
    await (await start('production')).stop();
    await refuses('sandbox', FOR_PRODUCTION);
  });

  test('belongs to a sandbox if it has only test keys', async () => {
    await newMerchant('sandbox');
    await forget();
    await refuses('production', FOR_SANDBOX);
    await (await start('sandbox')).stop();
  });

  test('belongs to the first process that starts if it has no key', async () => {
    await forget();
    await migrate(database.url, 'production');
    await refuses('sandbox', FOR_PRODUCTION);
  });
});

test('the simulated acquirer creates no tables in a production database', async () => {
  const acquirer = { DATABASE_URL: '', DATA_DIR: join(dataDir, 'acquirer') };
  assert.equal((await run('scripts/migrate.ts', 'production', acquirer)).status, 0);
  const env = { DATABASE_URL: '', ACQUIRER_SECRET: 'a secret shared with the acquirer' };
  const { stderr, status } = await run('scripts/acquirer.ts', 'production', env);
  assert.equal(stderr, 'DATA_DIR must be another one: its folder acquirer holds a database of production.\n');
  assert.equal(status, 1);
});
