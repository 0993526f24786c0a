import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { startTestService, type TestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

const MOST = 8;

describe('clients that disconnect before their answer', () => {
  let service: TestService;
  let lock: pg.Client;
  before(async () => {
    service = await startTestService({ env: { MAX_IN_FLIGHT: String(MOST) } });
    lock = new pg.Client({ connectionString: service.databaseUrl });
    await lock.connect();
  });
  after(async () => {
    await lock.end();
    await service.stop();
  });

  const inFlight = async () => {
    const metrics = await (await fetch(`${service.internalUrl}/metrics`)).text();
    return Number(/^centavo_http_requests_in_flight (\d+)$/m.exec(metrics)?.[1]);
  };
  const ended = () => service.log.filter(({ message }) => message === 'request').length;

  /** Sends requests at once on one connection, under a key that is new, and leaves while `table` is locked. */
  async function leaveAt(table: string, requests: readonly string[]): Promise<void> {
    const { apiKey } = await service.newKey(service.merchant);
    await lock.query('begin');
    await lock.query(`lock table ${table} in access exclusive mode`);
    const before = ended();
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    const head = `Host: a\r\nAuthorization: Bearer ${apiKey}\r\n`;
    socket.write(requests.map((request) => request.replace('\r\n', `\r\n${head}`)).join(''));
    await until('they are being worked on', async () => (await inFlight()) === requests.length);
    socket.destroy();
    await lock.query('commit');
    await until('each has ended', () => ended() === before + requests.length, 5_000);
    await until('their places are free', async () => (await inFlight()) === 0);
  }

  const POST =
    'POST /api/v1/customers HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}';
  for (const [what, table] of [
    ['it is looked up whose their key is', 'api_keys'],
    ['their request is counted', 'rate_windows'],
  ] as const) {
    it(`do not use up the quota of their merchant when they disconnect while ${what}`, async () => {
      for (let n = 1; n <= MOST; n++) await leaveAt(table, [POST]);
      assert.equal((await service.call('GET', '/customers')).status, 200);
    });
  }

  it('release the ticket of a request that waited behind another on the connection', async () => {
    const request = 'GET /api/v1/customers HTTP/1.1\r\n\r\n';
    await leaveAt('customers', [request, request]);
  });
});
