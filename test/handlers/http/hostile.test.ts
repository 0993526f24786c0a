import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import express from 'express';
import { healthRoutes } from '../../../handlers/http/health.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

/** What comes back for bytes as they are, until the server closes. */
async function bytesTo(url: string, bytes: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write(bytes);
  let answer = '';
  for await (const chunk of socket) answer += chunk;
  return answer;
}

const inFlight = async (service: TestService) => {
  const metrics = await (await fetch(`${service.internalUrl}/metrics`)).text();
  return Number(/^centavo_http_requests_in_flight (\d+)$/m.exec(metrics)?.[1]);
};

describe('requests outside the operations of the contract', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService();
  });
  after(() => service.stop());

  for (const [what, status, headers, body] of [
    ['a body over 64 KiB', 413, {}, 'x'.repeat(70_000)],
    ['an unknown content encoding', 415, { 'content-encoding': 'none-such' }, '{}'],
    ['a compressed body', 415, { 'content-encoding': 'gzip' }, 'not gzip'],
  ] as const) {
    it(`are refused by the path for notifications in JSON without a stack trace: ${what}`, async () => {
      for (const url of [service.url, service.internalUrl]) {
        const answer = await fetch(`${url}/gateway/notifications`, { method: 'POST', headers, body });
        assert.equal(answer.status, status);
        const text = await answer.text();
        assert.deepEqual(Object.keys(JSON.parse(text).error), ['code', 'message']);
        assert.doesNotMatch(text, /node_modules|\bat /);
      }
    });
  }

  it('get a 404 in JSON from the internal listener', async () => {
    const answer = await fetch(`${service.internalUrl}/nothing`);
    assert.equal(answer.status, 404);
    assert.equal(((await answer.json()) as { error: { code: string } }).error.code, 'not_found');
  });

  for (const [what, status, bytes] of [
    ['bytes of another protocol', 400, '\x16\x03\x01\x02\r\n\r\n'],
    [
      'a length in addition to chunks',
      400,
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n',
    ],
    ['a request that names no host', 400, 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n'],
    ['an expectation', 417, 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nExpect: more\r\n\r\n'],
    ['a header over 16 KiB', 431, `GET / HTTP/1.1\r\nHost: a\r\nX-Long: ${'a'.repeat(20_000)}\r\n\r\n`],
  ] as const) {
    it(`are refused with a request id: ${what}`, async () => {
      const answer = await bytesTo(service.url, bytes);
      assert.match(answer, new RegExp(`^HTTP/1.1 ${status} `));
      assert.match(answer, /\r\nX-Request-Id: [0-9a-f-]{36}\r\n/);
      assert.equal(JSON.parse(answer.split('\r\n\r\n')[1]!).error.code, 'unreadable_request');
    });
  }
});

it('may have an absolute request target, for operations and pages', async () => {
  await using service = await startTestService();
  for (const [target, status] of [
    ['http://elsewhere/healthz', 200],
    ['http://elsewhere/api/v1/merchant', 200],
    ['HTTPS://elsewhere:8080/api/v1/customers?per_page=1', 200],
    ['http://elsewhere?per_page=1', 302],
    ['*', 404],
  ] as const) {
    const head = `GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n`;
    const answer = await bytesTo(
      service.url,
      `${head}Authorization: Bearer ${service.merchant.apiKey}\r\n\r\n`,
    );
    assert.match(answer, new RegExp(`^HTTP/1.1 ${status} `), target);
  }
});

describe('one merchant’s slow requests', () => {
  it('do not delay other merchants', async () => {
    await using service = await startTestService({ env: { MAX_IN_FLIGHT: '4' } });
    const other = await service.newMerchant();
    const drips = new Set<Socket>();
    using _ = { [Symbol.dispose]: () => drips.forEach((socket) => void socket.destroy()) };
    for (let count = 0; count < 3; count += 1) {
      const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
      socket.write(
        `POST /api/v1/customers HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${service.merchant.apiKey}\r\n` +
          'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
      );
      drips.add(socket);
    }
    await until('its share is full', async () => (await inFlight(service)) === 3);
    const shed = await service.call('GET', '/customers');
    assert.equal(shed.body.error.code, 'overloaded');
    assert.equal(shed.headers.get('retry-after'), '1');
    assert.equal((await service.call('GET', '/customers', { key: other.apiKey })).status, 200);
    for (const socket of drips) socket.destroy();
    await until('its places are free again', async () => (await inFlight(service)) === 0);
    assert.equal((await service.call('GET', '/customers')).status, 200);
  });
});

describe('an answer that is not read', () => {
  it('counts as unread bytes until its connection is closed', async () => {
    await using service = await startTestService();
    const { body } = await service.call('POST', '/customers', {
      body: { name: 'A', email: 'a@example.com' },
    });
    // More than the kernel keeps of a connection.
    await service.deps.db.execute(
      service.merchant.merchant,
      `update customers set metadata = jsonb_build_object('k', repeat('x', 30000000)) where {scope} and id = :id`,
      { id: body.id },
    );
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    socket.pause();
    socket.write(
      `GET /api/v1/customers HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${service.merchant.apiKey}\r\n\r\n`,
    );
    await until('it is answered', () =>
      service.log.some((line) => line.fields.operation === 'listCustomers'),
    );
    assert.equal(await inFlight(service), 1);
    socket.destroy();
    await until('its place is free', async () => (await inFlight(service)) === 0);
  });
});

describe('/readyz', () => {
  it('makes one check for all simultaneous requests', async () => {
    let looks = 0;
    let arrived = 0;
    let end = () => {};
    const routes = healthRoutes(() => {
      looks += 1;
      return new Promise((resolve) => {
        end = resolve;
      });
    });
    const server = createServer(express().use(routes)).on('request', () => {
      arrived += 1;
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/readyz`;
    const asked = Array.from({ length: 20 }, () => fetch(url));
    await until('all have asked', () => arrived === 20);
    end();
    for (const answer of await Promise.all(asked)) assert.equal(answer.status, 200);
    assert.equal(looks, 1);
    const next = fetch(url);
    await until('it looks again for the next', () => looks === 2);
    end();
    assert.equal((await next).status, 200);
    server.close();
  });
});
