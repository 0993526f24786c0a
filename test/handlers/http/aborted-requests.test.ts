import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { makeApiKey } from '../../../domain/merchants/api-key.ts';
import { RENDERER } from '../../../web/reference-page.ts';
import { type Gauges, gaugesOf, untilGauges, untilIdle } from '../../support/http/gauges.ts';
import { RawClients } from '../../support/http/raw-clients.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

/** More than the tickets of one merchant, and more than are left for unknown keys. */
const CROWD = 110;
/** Fewer than the tickets of one merchant. */
const ADMITTED = 100;
const BODY = JSON.stringify({ name: 'Ana Souza', email: 'ana@example.com' });

/** Of 28 tests with some 9,000 connections together. On a busy machine they need more than the limit of one test. */
const SUITE_TIMEOUT_MS = 300_000;

type Key = string | null;

function bytesOf(target: string, key: Key, body = '', length = body.length): string {
  const authorization = key === null ? '' : `Authorization: Bearer ${key}\r\n`;
  const content = target.startsWith('POST')
    ? `Content-Type: application/json\r\nContent-Length: ${length}\r\n`
    : '';
  return `${target} HTTP/1.1\r\nHost: localhost\r\n${authorization}${content}\r\n${body}`;
}

/** Sends the requests in two parts, the second when the first is held, so that none is refused. */
async function sendCrowd(
  send: (n: number) => Promise<unknown>,
  untilHeld: (count: number) => Promise<void>,
  crowd = CROWD,
) {
  for (const [from, to] of [
    [0, crowd / 2],
    [crowd / 2, crowd],
  ] as const) {
    await Promise.all(Array.from({ length: to - from }, (_, index) => send(from + index)));
    await untilHeld(to);
  }
}

/** Fails unless all tickets are released, and every kind of caller is served. */
async function assertAllServed(service: TestService): Promise<void> {
  await untilIdle(service);
  const unknown = makeApiKey('sandbox', 7, service.deps.random);
  assert.equal((await service.call('GET', '/customers')).status, 200);
  assert.equal((await service.call('GET', '/customers', { key: unknown })).status, 401);
  assert.equal((await service.call('GET', '/customers', { key: null })).status, 401);
  assert.equal((await fetch(`${service.url}/docs`)).status, 200);
}

describe('aborted requests', { timeout: SUITE_TIMEOUT_MS }, () => {
  let service: TestService;
  let lock: pg.Client;
  let keys: Record<string, Key>;
  before(async () => {
    service = await startTestService({ jobs: false });
    lock = new pg.Client({ connectionString: service.databaseUrl });
    await lock.connect();
    keys = {
      'a known key': service.merchant.apiKey,
      'an unknown key': makeApiKey('sandbox', 7, service.deps.random),
      'no key': null,
    };
    await assertAllServed(service);
  });
  after(async () => {
    await lock.end();
    await service.stop();
  });

  for (const target of [
    'GET /api/v1/customers',
    'POST /api/v1/customers',
    'GET /api/v1/nothing',
    'DELETE /api/v1/customers',
    'GET /api/v1',
    'GET /docs',
    'GET /docs/guides/errors',
    'GET /docs/guides/nothing',
    'GET /docs/nothing',
    'GET /docs/openapi.json',
    'GET /docs/demo.js',
    'GET /lib/centavo.js',
    'GET /lib/nothing.js',
    'GET /openapi.json',
    'GET /readyz',
    'POST /gateway/notifications',
  ]) {
    it(`release their ticket when aborted right after sending: ${target}`, async () => {
      using clients = new RawClients(service.url);
      for (const key of Object.values(keys)) {
        const bytes = bytesOf(target, key, target.startsWith('POST') ? BODY : '');
        await Promise.all(Array.from({ length: CROWD }, () => clients.send(bytes)));
        await clients.disconnect();
      }
      assert.equal(clients.received, 3 * CROWD);
      await assertAllServed(service);
    });
  }

  for (const [what, target] of [
    ['of the API', 'POST /api/v1/customers'],
    ['of a notification', 'POST /gateway/notifications'],
  ] as const) {
    it(`release their ticket when aborted in the middle of the body: ${what}`, async () => {
      using clients = new RawClients(service.url);
      for (const key of Object.values(keys)) {
        for (const sent of ['', '{"name":']) {
          const before = clients.received;
          const bytes = bytesOf(target, key, sent, 100);
          const isAdmitted = target.includes('/api/') && key === service.merchant.apiKey;
          await sendCrowd(
            () => clients.send(bytes),
            async (count) => {
              await until('they have arrived', () => clients.received >= before + count);
              if (!isAdmitted) return;
              await untilGauges(service, 'they are admitted', ({ in_flight }) => in_flight === count);
              // Keys are looked up in order, so those of the crowd are looked up when this one is answered.
              assert.equal((await service.call('GET', '/merchant')).status, 200);
            },
            isAdmitted ? ADMITTED : CROWD,
          );
          await clients.disconnect();
        }
      }
      await assertAllServed(service);
    });
  }

  for (const [what, table, target, key] of [
    ['while their key is looked up', 'api_keys', 'GET /api/v1/customers', 'a known key'],
    ['while their unknown key is looked up', 'api_keys', 'GET /api/v1/customers', 'an unknown key'],
    ['while they are counted for the rate limit', 'rate_windows', 'GET /api/v1/customers', 'a known key'],
    ['while they wait for the database', 'customers', 'GET /api/v1/customers', 'a known key'],
    ['while they are written', 'customers', 'POST /api/v1/customers', 'a known key'],
  ] as const) {
    for (const isPipelined of [false, true]) {
      it(`release their ticket: ${what}${isPipelined ? ', pipelined' : ''}`, async () => {
        using clients = new RawClients(service.url);
        let apiKey = keys[key]!;
        // A key that is used for the first time has to ask the database for its minute.
        if (table === 'rate_windows') apiKey = (await service.newKey(service.merchant)).apiKey;
        // As many as are admitted of this key. Of customers, 8 wait for the lock, 10 for a connection, the rest is
        // queued.
        const count = ADMITTED;
        await lock.query('begin');
        await lock.query(`lock table ${table} in access exclusive mode`);
        const bytes = bytesOf(target, apiKey, target.startsWith('POST') ? BODY : '');
        if (isPipelined) await clients.send(bytes.repeat(count));
        else await Promise.all(Array.from({ length: count }, () => clients.send(bytes)));
        // Only requests that are identified and counted get to the queue.
        const areQueued = ({ queued, working }: Gauges) =>
          table === 'customers' ? queued >= count - 24 : queued + working === 0;
        await untilGauges(
          service,
          'all have a ticket, and most of them are queued',
          (gauges) => gauges.in_flight === count && areQueued(gauges),
        );
        await clients.disconnect();
        await lock.query('commit');
        await assertAllServed(service);
      });
    }
  }

  for (const [what, target] of [
    ['of the API', 'GET /api/v1/customers'],
    ['of the docs', `GET ${RENDERER.path}`],
  ] as const) {
    it(`release their ticket when aborted while their answer is written: ${what}`, async () => {
      const { merchant, apiKey } = await service.newMerchant();
      const { body } = await service.call('POST', '/customers', { key: apiKey, body: JSON.parse(BODY) });
      // An answer of 5 MB is more than the kernel buffers for a connection that is not read.
      await service.deps.db.execute(
        merchant,
        `update customers set metadata = jsonb_build_object('k', repeat('x', 5000000)) where {scope} and id = :id`,
        { id: body.id },
      );
      using clients = new RawClients(service.url);
      const isApi = target.includes('/api/');
      // Together less than what one merchant can leave unread.
      const count = isApi ? 3 : 20;
      for (const how of ['close', 'reset'] as const) {
        const before = clients.received;
        const bytes = bytesOf(target, apiKey);
        await Promise.all(Array.from({ length: count }, () => clients.send(bytes, false)));
        await until('all have arrived', () => clients.received === before + count);
        if (isApi) {
          await untilGauges(
            service,
            'all are being written',
            ({ in_flight, working }) => in_flight === count && working === 0,
          );
        }
        await clients.disconnect(how);
      }
      await assertAllServed(service);
    });
  }

  it('release their ticket when aborted at a random moment', async () => {
    // The same moments on each run.
    let seed = 1;
    const draw = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    const targets = [
      'GET /api/v1/customers?per_page=1',
      'POST /api/v1/customers',
      'GET /docs/guides/nothing',
      'GET /docs/nothing',
      'POST /gateway/notifications',
    ];
    using clients = new RawClients(service.url);
    for (let round = 0; round < 20; round += 1) {
      for (let count = 0; count < 20; count += 1) {
        const target = targets[draw(targets.length)]!;
        const key = Object.values(keys)[draw(3)]!;
        const bytes = bytesOf(target, key, target.startsWith('POST') ? BODY : '').repeat(1 + draw(3));
        await clients.send(bytes.slice(0, 1 + draw(bytes.length)));
      }
      for (let turn = draw(30); turn > 0; turn -= 1) await new Promise(setImmediate);
      await clients.disconnect(draw(2) === 0 ? 'close' : 'reset');
    }
    await assertAllServed(service);
  });
});

describe('orders whose clients disconnect while the acquirer does not answer', () => {
  let service: TestService;
  let acquirer: Server;
  before(async () => {
    acquirer = createServer(() => {}).listen(0, '127.0.0.1');
    await until('it listens', () => acquirer.listening);
    const { port } = acquirer.address() as AddressInfo;
    service = await startTestService({
      jobs: false,
      env: { ACQUIRER_URL: `http://127.0.0.1:${port}`, ACQUIRER_SECRET: 's'.repeat(32) },
    });
  });
  after(async () => {
    acquirer.closeAllConnections();
    acquirer.close();
    await service.stop();
  });

  it('release their ticket once the acquirer has answered', async () => {
    using clients = new RawClients(service.url);
    const order = (n: number) => ({
      code: `order-${n}`,
      mcc: '5734',
      customer: { name: 'Ana Souza', email: `ana-${n}@example.com` },
      payment: { amount: 1_000, payment_method: 'pix' },
    });
    const target = 'POST /api/v1/charges/orders';
    const bytes = (n: number) => bytesOf(target, service.merchant.apiKey, JSON.stringify(order(n)));
    await sendCrowd(
      (n) => clients.send(bytes(n).replace('\r\n', `\r\nIdempotency-Key: key-${n}\r\n`)),
      (count) => untilGauges(service, 'they wait for the acquirer', ({ waiting }) => waiting === count),
    );
    await clients.disconnect();
    assert.equal((await gaugesOf(service)).in_flight, CROWD, 'their work continues');
    acquirer.closeAllConnections();
    // Each call is retried once after its connection broke.
    await until('the first call is retried', async () => (await connectionsOf(acquirer)) > 0);
    await until('all calls are retried', async () => (await connectionsOf(acquirer)) === CROWD);
    acquirer.closeAllConnections();
    await assertAllServed(service);
    const { body } = await service.call('GET', '/payments?per_page=100');
    assert.ok(body.data.every((payment: { status: string }) => payment.status === 'processing'));
    for (const n of [0, CROWD - 1]) {
      const again = { rawBody: JSON.stringify(order(n)), idempotencyKey: `key-${n}` };
      const { status, headers } = await service.call('POST', '/charges/orders', again);
      assert.equal(status, 201);
      assert.equal(headers.get('idempotency-replayed'), 'true', 'the answer is stored under its key');
    }
  });
});

function connectionsOf(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
  });
}
