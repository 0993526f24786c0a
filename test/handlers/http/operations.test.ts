import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { startService } from '../../../composition/service.ts';
import { readConfig } from '../../../config.ts';
import { startEmbeddedPostgres } from '../../../db/engine/embedded-postgres.ts';
import { listMerchants } from '../../../db/merchants/merchants.ts';
import { testDatabase } from '../../support/database.ts';
import { request, startTestService, type TestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const SILENT = { info() {}, warn() {}, error() {} };

describe('health and metrics', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService();
  });
  after(() => service.stop());

  it('/healthz and /readyz answer on both listeners', async () => {
    for (const base of [service.url, service.internalUrl]) {
      assert.equal((await fetch(`${base}/healthz`)).status, 200);
      assert.equal((await fetch(`${base}/readyz`)).status, 200);
    }
  });

  it('/metrics answers on the internal listener only', async () => {
    await service.call('GET', '/customers');
    const answer = await fetch(`${service.internalUrl}/metrics`);
    assert.match(
      await answer.text(),
      /centavo_http_requests_total\{operation="listCustomers",status="200"\} \d+/,
    );
    assert.equal((await fetch(`${service.url}/metrics`)).status, 404);
  });

  it('the path for notifications refuses requests without a signature', async () => {
    const answer = await fetch(`${service.url}/gateway/notifications`, {
      method: 'POST',
      body: '{"id":"x"}',
    });
    assert.equal(answer.status, 401);
  });
});

describe('a process that serves only the API', () => {
  it('is ready only while a worker runs', async () => {
    let wall_ms = Date.now();
    const wall = () => new Date(wall_ms);
    const service = await startTestService({ jobs: false, overrides: { wall } });
    const { url, databaseUrl, dataDir } = service;
    assert.equal((await fetch(`${url}/readyz`)).status, 503);
    assert.equal((await service.call('GET', '/customers')).status, 200);
    const env = {
      ROLE: 'worker',
      PORT: '0',
      INTERNAL_PORT: '0',
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
    };
    const worker = await startService(readConfig(env), SILENT, { wall });
    assert.equal(worker.url, null);
    assert.equal((await fetch(`${url}/readyz`)).status, 200);
    assert.equal((await fetch(`${worker.internalUrl}/readyz`)).status, 200);
    await worker.stop();
    wall_ms += 60_000;
    assert.equal((await fetch(`${url}/readyz`)).status, 503);
    await service.stop();
  });
});

describe('the demo merchant of a new sandbox', () => {
  it('is created by a process that serves the API, not by a worker', async () => {
    const database = await testDatabase();
    const dataDir = await mkdtemp(join(tmpdir(), 'centavo-demo-'));
    const start = (ROLE: string) =>
      startService(
        readConfig({
          ROLE,
          PORT: '0',
          INTERNAL_PORT: '0',
          DATABASE_URL: database.url,
          DATA_DIR: dataDir,
        }),
        SILENT,
      );
    const worker = await start('worker');
    assert.equal(worker.demo, null);
    assert.deepEqual(await listMerchants(worker.deps.db), []);
    const api = await start('api');
    assert.equal((await request(api.url!, api.demo!.apiKey, 'GET', '/merchant')).status, 200);
    await api.stop();
    await worker.stop();
    await rm(dataDir, { recursive: true });
    await database.drop();
  });
});

describe('a stop of the service', () => {
  it('completes the requests in flight, and accepts no new ones', async () => {
    const service = await startTestService();
    const client = new pg.Client({ connectionString: service.databaseUrl });
    await client.connect();
    await client.query('begin');
    await client.query('lock table customers in access exclusive mode');
    const underWay = service.call('GET', '/customers');
    await until('the request is under way', async () => {
      const metrics = await (await fetch(`${service.internalUrl}/metrics`)).text();
      return metrics.includes('centavo_http_requests_in_flight 1\n');
    });
    const stopped = service.stop();
    await until('the listener is closed', async () => {
      try {
        await fetch(`${service.url}/healthz`, { headers: { connection: 'close' } });
        return false;
      } catch {
        return true;
      }
    });
    await client.end();
    assert.equal((await underWay).status, 200);
    await stopped;
  });
});

describe('a lost database', () => {
  it('causes 503, not 500, until it answers again', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'centavo-lost-'));
    let postgres = await startEmbeddedPostgres({ dataDir });
    const config = readConfig({
      PORT: '0',
      INTERNAL_PORT: '0',
      DATABASE_URL: postgres.url,
      DATA_DIR: dataDir,
    });
    const service = await startService(config, SILENT);
    const url = service.url!;
    const key = service.demo!.apiKey;
    try {
      assert.equal((await request(url, key, 'GET', '/customers')).status, 200);
      await postgres.stop();
      const lost = await request(url, key, 'GET', '/customers');
      assert.equal(lost.status, 503);
      assert.ok(lost.headers.has('retry-after'));
      const customer = { name: 'Ana Souza', email: 'ana@example.com' };
      assert.equal((await request(url, key, 'POST', '/customers', { body: customer })).status, 503);
      assert.equal((await fetch(`${url}/healthz`)).status, 200);
      assert.equal((await fetch(`${url}/readyz`)).status, 503);
      postgres = await startEmbeddedPostgres({ dataDir });
      await until(
        'the service has healed',
        async () => (await request(url, key, 'GET', '/customers')).status === 200,
      );
      assert.equal((await request(url, key, 'POST', '/customers', { body: customer })).status, 201);
    } finally {
      await service.stop();
      await postgres.stop();
      await rm(dataDir, { recursive: true, force: true });
    }
  });
});
