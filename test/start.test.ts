import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it, type TestContext } from 'node:test';
import { Client } from 'pg';
import { runProgram } from './scripts/support/admin.ts';
import { type TestDatabase, testDatabase } from './support/database.ts';
import { sql } from './support/db/embedded-postgres.ts';
import { killWithParent } from './support/processes/kill-with-parent.ts';
import { until } from './support/until.ts';

const ROOT = join(import.meta.dirname, '..');
/** A vault key of 32 different bytes. */
const keyFrom = (first: number) =>
  Buffer.from(Array.from({ length: 32 }, (_, index) => first + index)).toString('base64');
const PRODUCTION = {
  PAYMENTS_ENV: 'production',
  VAULT_KEYS: keyFrom(1),
  KEY_PEPPER: 'a pepper of the tests, long enough',
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

describe('a start that must fail', () => {
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

  it('says that no server answers at DATABASE_URL', async () => {
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

  it('says that the role must not write to the database', async () => {
    const url = new URL(database.url);
    // Not named as those of the tests are: another test file that starts now would delete it as unused.
    const empty = url.pathname.slice(1).replace('centavo_test_', 'centavo_empty_');
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
      await sql(database.url, `drop database ${empty} with (force)`);
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

  it('says that DATA_DIR is not a folder of the service', async () => {
    const DATA_DIR = join(ROOT, 'README.md/data');
    const sentence = /^DATA_DIR cannot be used: ENOTDIR: not a directory, mkdir '[^']+'\.$/;
    assert.match(await refusal({ DATA_DIR }), sentence);
    const sandbox = await testDatabase();
    assert.match(await refusal({ DATA_DIR, DATABASE_URL: sandbox.url }), sentence);
    await sandbox.drop();
  });

  it('says that the HOST is another machine, and that the PORT is taken', async () => {
    const env = { ...PRODUCTION, DATABASE_URL: database.url, INTERNAL_PORT: '0' };
    assert.equal(
      await refusal({ ...env, HOST: '192.0.2.1', PORT: '3000' }),
      'Cannot listen on 192.0.2.1:3000 (HOST): it is not an address of this machine.',
    );
    await using taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as AddressInfo;
    assert.equal(
      await refusal({ ...env, PORT: `${port}` }),
      `Cannot listen on 127.0.0.1:${port} (PORT): something else is listening there.`,
    );
  });

  it('says that KEY_PEPPER is not the one of this database, in every role', async () => {
    const env = { ...PRODUCTION, DATABASE_URL: database.url };
    const admin = ['scripts/admin.ts', 'merchant', 'list'];
    assert.equal((await runProgram(process.execPath, admin, env)).status, 0);
    const KEY_PEPPER = 'another pepper, just as long as it must be';
    for (const ROLE of ['api', 'worker']) {
      assert.match(
        await refusal({ ...env, KEY_PEPPER, ROLE }),
        /^KEY_PEPPER is not the one of this database\. /,
      );
    }
  });

  it('says where the secrets of a sandbox were, when its DATA_DIR is gone', async () => {
    const sandbox = await testDatabase();
    const env = { DATABASE_URL: sandbox.url, PORT: '0', INTERNAL_PORT: '0' };
    const folder = (name: string) => ({ DATA_DIR: join(dataDir, name) });
    const admin = ['scripts/admin.ts', 'merchant', 'list'];
    assert.equal((await runProgram(process.execPath, admin, { ...env, ...folder('a') })).status, 0);
    const sentence =
      / If it is not set, it is in secrets\.json in the DATA_DIR of the first start: restore that file, or use an empty database\./;
    const VAULT_KEYS = JSON.parse(await readFile(join(dataDir, 'a/secrets.json'), 'utf8')).vault_key;
    const gone = { ...env, ...folder('b') };
    assert.match(await refusal(gone), sentence);
    assert.match(await refusal({ ...gone, VAULT_KEYS }), sentence);
    await sandbox.drop();
  });

  it('says that VAULT_KEYS are not those of this database', async () => {
    const env = { ...PRODUCTION, DATABASE_URL: database.url };
    const admin = ['scripts/admin.ts', 'merchant', 'list'];
    assert.equal((await runProgram(process.execPath, admin, env)).status, 0);
    const VAULT_KEYS = keyFrom(2);
    assert.match(await refusal({ ...env, VAULT_KEYS }), /^No key of VAULT_KEYS opens the vault/);
  });
});

describe('a start', () => {
  it('prints the addresses of the API, the docs and the checkout pages, and the demo key', async (t) => {
    const database = await testDatabase();
    const dataDir = await mkdtemp(join(tmpdir(), 'centavo-start-'));
    const env = { DATABASE_URL: database.url, DATA_DIR: dataDir, LOG_LEVEL: 'warn' };
    const child = killWithParent(
      spawn(process.execPath, [join(ROOT, 'main.ts')], {
        env: { PATH: process.env.PATH, PORT: '0', INTERNAL_PORT: '0', ...env },
        stdio: ['ignore', 'pipe', 'inherit'],
      }),
    );
    t.after(() => child.kill('SIGKILL'));
    let printed = '';
    child.stdout.on('data', (chunk: Buffer) => {
      printed += chunk;
    });
    await until('it is running', async () => printed.includes('demo merchant'));
    const [, url] = /^ {2}API +(http:\S+)\/api\/v1$/m.exec(printed)!;
    assert.ok(printed.includes(`  Docs      ${url}/docs\n`));
    assert.match(printed, /^ {2}Key +pay_test_/m);
    assert.equal(getPriority(child.pid), getPriority());
    const [, page] = /^ {2}Checkout +(\S+) /m.exec(printed)!;
    assert.equal(page, `${url}/l/{hash}`);
    const { status, headers } = await fetch(page!.replace('{hash}', 'unknown'));
    assert.deepEqual([status, headers.get('content-type')], [404, 'text/html; charset=utf-8']);
    const exit = once(child, 'exit');
    child.kill('SIGTERM');
    assert.deepEqual(await exit, [0, null]);
    await database.drop();
    await rm(dataDir, { recursive: true });
  });
});

describe('a worker', () => {
  it('gives way to requests: it has a lower priority', async (t) => {
    const database = await testDatabase();
    const dataDir = await mkdtemp(join(tmpdir(), 'centavo-start-'));
    const env = { DATABASE_URL: database.url, DATA_DIR: dataDir, ROLE: 'worker', LOG_LEVEL: 'warn' };
    const child = killWithParent(
      spawn(process.execPath, [join(ROOT, 'main.ts')], {
        env: { PATH: process.env.PATH, INTERNAL_PORT: '0', ...env },
        stdio: ['ignore', 'pipe', 'inherit'],
      }),
    );
    t.after(() => child.kill('SIGKILL'));
    let printed = '';
    child.stdout.on('data', (chunk: Buffer) => {
      printed += chunk;
    });
    await until('it is running', async () => printed.includes('as a worker'));
    assert.equal(getPriority(child.pid), Math.max(getPriority(), 5));
    const exit = once(child, 'exit');
    child.kill('SIGTERM');
    assert.deepEqual(await exit, [0, null]);
    await database.drop();
    await rm(dataDir, { recursive: true });
  });
});

describe('a start that gets a signal', () => {
  let dataDir: string;
  before(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'centavo-start-'));
  });
  after(() => rm(dataDir, { recursive: true }));

  const start = (t: TestContext, env: Record<string, string>) => {
    const child = killWithParent(
      spawn(process.execPath, [join(ROOT, 'main.ts')], {
        env: {
          PATH: process.env.PATH,
          DATA_DIR: dataDir,
          PORT: '0',
          INTERNAL_PORT: '0',
          LOG_LEVEL: 'warn',
          ...env,
        },
        stdio: ['ignore', 'pipe', 'inherit'],
      }),
    );
    t.after(() => child.kill('SIGKILL'));
    const output: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => output.push(chunk));
    return { child, exit: once(child, 'exit'), printed: () => Buffer.concat(output).toString() };
  };

  it('ends after its current step, without listening', async (t) => {
    const database = await testDatabase();
    const holder = new Client(database.url);
    await holder.connect();
    await holder.query('begin; lock table schema_migrations in access exclusive mode');
    const { child, exit, printed } = start(t, { DATABASE_URL: database.url });
    await until('it waits for the migrations of another', async () => {
      const waiting = await sql(
        database.url,
        `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return waiting.length === 1;
    });
    child.kill('SIGTERM');
    await holder.query('commit');
    await holder.end();
    assert.deepEqual([await exit, printed()], [[0, null], '']);
    await database.drop();
  });

  it('stops its Postgres', async (t) => {
    const pidFile = join(dataDir, 'postgres/data/postmaster.pid');
    const { child, exit, printed } = start(t, {});
    await until('its Postgres starts', async () => existsSync(pidFile));
    child.kill('SIGINT');
    assert.deepEqual([await exit, printed()], [[0, null], '']);
    assert.equal(existsSync(pidFile), false);
  });
});
