import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Client } from 'pg';
import { type Service, startService } from '../composition/service.ts';
import { readConfig } from '../config.ts';
import { startEmbeddedPostgres } from '../db/engine/embedded-postgres.ts';
import { startRetries } from '../db/engine/start-retries.ts';
import { DatabaseUnavailable } from '../db/engine/unavailable.ts';
import { assertReady } from '../services/readiness.ts';
import { type TestDatabase, testDatabase } from './support/database.ts';
import { sql } from './support/db/embedded-postgres.ts';
import { until } from './support/until.ts';

const SILENT = { info() {}, warn() {}, error() {} };

let dataDir: string;
before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'centavo-start-'));
});
after(() => rm(dataDir, { recursive: true, maxRetries: 50, retryDelay: 200 }));

function start(database: TestDatabase, folder: string): Promise<Service> {
  const env = { PORT: '0', INTERNAL_PORT: '0', DATABASE_URL: database.url, DATA_DIR: join(dataDir, folder) };
  return startService(readConfig(env), SILENT);
}

/** A connection that `cleanUp` closes. */
async function connect(cleanUp: AsyncDisposableStack, url: string): Promise<Client> {
  const client = new Client(url);
  client.on('error', () => {});
  await client.connect();
  cleanUp.defer(() => client.end());
  return client;
}

/** A service that `cleanUp` stops. */
async function started(cleanUp: AsyncDisposableStack, starting: Promise<Service>): Promise<Service> {
  const service = await starting;
  cleanUp.defer(() => service.stop());
  return service;
}

/** Ends what waits for a lock in this database; resolves to how many there were. */
async function endWaiting(client: Client): Promise<number> {
  const { rowCount } = await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rowCount!;
}

describe('a start whose connections are ended', () => {
  // What each step of a start asks first.
  for (const [step, table] of [
    ['while it migrates', 'schema_migrations'],
    ['while it opens the vault', 'vault_keys'],
    ['while it checks the pepper', 'pepper_check'],
    ['while it prepares the simulated acquirer', 'simulator.migrations'],
    ['while it says that it is alive', 'worker_heartbeats'],
    ['while it makes the demo merchant', 'merchants'],
  ] as const) {
    test(`succeeds: ${step}`, async () => {
      await using cleanUp = new AsyncDisposableStack();
      const database = await testDatabase();
      cleanUp.defer(() => database.drop());
      const [holder, watch] = [await connect(cleanUp, database.url), await connect(cleanUp, database.url)];
      await holder.query(`begin; lock table ${table} in access exclusive mode`);
      const starting = start(database, table);
      starting.catch(() => {});
      await until('its connection is ended', async () => (await endWaiting(watch)) > 0);
      await holder.query('rollback');
      assert.ok((await started(cleanUp, starting)).demo, 'the demo merchant is missing');
    });
  }

  test('succeeds, again and again, for two processes on an empty database', async () => {
    await using cleanUp = new AsyncDisposableStack();
    const database = await testDatabase();
    cleanUp.defer(() => database.drop());
    const watch = await connect(cleanUp, database.url);
    await watch.query('drop schema public cascade; drop schema simulator cascade; create schema public');
    const starting = [start(database, 'two'), start(database, 'two')];
    let ended = 0;
    const terminate = async () => {
      const { rowCount } = await watch.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid()`,
      );
      ended += rowCount!;
      return ended >= 8;
    };
    await Promise.all([...starting, until('many connections are ended', terminate)]);
    const [one, two] = await Promise.all(starting.map((each) => started(cleanUp, each)));
    assert.equal(one!.demo!.merchantId, two!.demo!.merchantId);
    assert.equal((await watch.query('select name from merchants')).rowCount, 1);
  });

  test('succeeds after a backend of the embedded Postgres was killed', async () => {
    await using cleanUp = new AsyncDisposableStack();
    const env = { PORT: '0', INTERNAL_PORT: '0', DATA_DIR: join(dataDir, 'embedded') };
    const postgres = await startEmbeddedPostgres({ dataDir: env.DATA_DIR });
    cleanUp.defer(() => postgres.stop());
    const starting = [startService(readConfig(env), SILENT), startService(readConfig(env), SILENT)];
    const kill = async () => {
      const query = `select pid from pg_stat_activity
        where backend_type = 'client backend' and pid <> pg_backend_pid() and query like '%schema_migrations%'`;
      const [found] = await sql(postgres.url, query).catch(() => []);
      if (found !== undefined) process.kill(found.pid as number, 'SIGKILL');
      return found !== undefined;
    };
    await Promise.all([...starting, until('a backend is killed', kill)]);
    const services = await Promise.all(starting.map((each) => started(cleanUp, each)));
    for (const { deps } of services) await assertReady(deps);
  });
});

describe('the steps of a start', () => {
  const recovering = () =>
    Object.assign(new Error('the database system is in recovery mode'), { code: '57P03' });
  const refused = () =>
    Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ECONNREFUSED' });

  test('are retried until they succeed, and each retry is reported', async () => {
    const reasons: string[] = [];
    const retry = startRetries({ onRetry: (reason) => reasons.push(reason) });
    let runs = 0;
    const step = async () => {
      runs += 1;
      if (runs < 3) throw new DatabaseUnavailable(recovering());
      return runs;
    };
    assert.equal(await retry(step), 3);
    assert.deepEqual(reasons, Array(2).fill('the database system is in recovery mode'));
  });

  test('fail with one sentence after the last retry', async () => {
    const retry = startRetries({ limit_ms: 200 });
    await assert.rejects(
      retry(() => Promise.reject(recovering())),
      {
        message:
          'The database (DATABASE_URL) was not available for 0.2 seconds: the database system is in recovery mode.',
      },
    );
  });

  test('wait only for a database that has answered before', async () => {
    await assert.rejects(
      startRetries({})(() => Promise.reject(refused())),
      { code: 'ECONNREFUSED' },
    );
    const retry = startRetries({});
    await retry(async () => {});
    let runs = 0;
    await retry(async () => {
      runs += 1;
      if (runs === 1) throw refused();
    });
    assert.equal(runs, 2);
  });

  test('are not retried after an error that a retry cannot fix', async () => {
    const denied = Object.assign(new Error('permission denied'), { code: '42501' });
    await assert.rejects(
      startRetries({})(() => Promise.reject(denied)),
      { code: '42501' },
    );
  });

  test('end when the start is aborted', async () => {
    const ending = new AbortController();
    const retry = startRetries({ signal: ending.signal, onRetry: () => ending.abort() });
    await assert.rejects(
      retry(() => Promise.reject(recovering())),
      { name: 'AbortError' },
    );
  });
});
