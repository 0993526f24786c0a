import assert from 'node:assert/strict';
import { connect, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { moveApiKeyRow } from '../../../db/merchants/api-keys.ts';
import { untilGauges } from '../../support/http/gauges.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';

/** As many requests as one merchant's burst may have. */
const CROWD = 100;
const MOST_AT_WORK = 24;
const MOST_AT_WORK_OF_A_MERCHANT = 18;
const SHARE_OF_A_MERCHANT = 108;
/** Of thirteen connections, two are for look-ups, and three quarters of the others may be one merchant's. */
const MOST_STATEMENTS = 8;
const BODY = JSON.stringify({ name: 'A', email: 'a@example.com' });

describe('many requests that stop in the middle', () => {
  let service: TestService;
  let lock: pg.Client;
  let watch: pg.Client;
  let other: string;
  const sockets = new Set<Socket>();
  before(async () => {
    // One minute: in the next, the crowd's own lot of requests would wait for a connection of the merchant's share.
    const minute = new Date();
    service = await startTestService({ overrides: { wall: () => new Date(minute) } });
    lock = new pg.Client({ connectionString: service.databaseUrl });
    watch = new pg.Client({ connectionString: service.databaseUrl });
    await Promise.all([lock.connect(), watch.connect()]);
    other = (await service.newMerchant()).apiKey;
    await others();
  });
  after(async () => {
    await Promise.all([lock.end(), watch.end()]);
    await service.stop();
  });

  const inFlight = async () => {
    const metrics = await (await fetch(`${service.internalUrl}/metrics`)).text();
    return Number(/^centavo_http_requests_in_flight (\d+)$/m.exec(metrics)?.[1]);
  };
  const allWait = async () => {
    const sql = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    return (await watch.query(sql)).rows.length >= MOST_STATEMENTS;
  };

  function send(bytes: string): Socket {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1').resume();
    socket.write(bytes);
    sockets.add(socket);
    return socket;
  }

  /** Runs `work` while the table of customers is locked. Then all clients disconnect. */
  async function whileCustomersAreLocked(work: () => Promise<void>): Promise<void> {
    await lock.query('begin');
    try {
      await lock.query('lock table customers in access exclusive mode');
      await work();
    } finally {
      await hangUp().finally(() => lock.query('commit'));
      await until('all places are free', async () => (await inFlight()) === 0);
    }
  }

  /** Until the service, which runs in this process, has seen it too: who is still there is worked for. */
  async function hangUp(): Promise<void> {
    const open = () => process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length;
    const bothEnds = 2 * sockets.size;
    const before = open();
    for (const socket of sockets) socket.destroy();
    sockets.clear();
    await until('their connections are closed', () => open() <= before - bothEnds);
  }

  const head = (method: string, key: string) =>
    `${method} /api/v1/customers HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${key}\r\n` +
    (method === 'GET' ? '\r\n' : `Content-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n`);

  const others = async (): Promise<void> => {
    assert.equal((await service.call('GET', '/merchant', { key: other })).status, 200);
  };

  for (const [what, method, isKnown, isLate] of [
    ['whose bodies came with them', 'POST', true, false],
    ['whose bodies come late and all at once', 'POST', true, true],
    ['of a key that is used for the first time', 'GET', false, false],
  ] as const) {
    it(`of one merchant do not delay another merchant: ${what}`, async () => {
      const { apiKey } = await service.newKey(service.merchant);
      if (isKnown) await service.call('GET', '/merchant', { key: apiKey });
      const listed = () =>
        service.log.filter(({ fields }) => fields.operation === 'listCustomers' && fields.status !== 400)
          .length;
      const before = listed();
      await whileCustomersAreLocked(async () => {
        // Until all have come, none is found out to be anybody's.
        await watch.query('begin');
        await watch.query('lock table api_keys in access exclusive mode');
        const body = method === 'GET' ? '' : BODY;
        for (let count = 0; count < CROWD; count += 1) send(head(method, apiKey) + (isLate ? '' : body));
        await until('all have come', async () => (await inFlight()) === CROWD);
        await watch.query('commit');
        if (isLate) for (const socket of sockets) socket.write(body);
        await until('all of them wait', allWait);
        for (let count = 0; count < 10; count += 1) await others();
        assert.equal(await inFlight(), CROWD, 'the other one was served only after some of the crowd');
      });
      assert.ok(
        listed() - before <= MOST_AT_WORK,
        'requests whose clients leave before their turn are not processed',
      );
    });
  }

  it('of one merchant do not raise its limit of requests at once while other bodies arrive', async () => {
    const UPLOADS = 40;
    const { apiKey } = service.merchant;
    await whileCustomersAreLocked(async () => {
      for (let count = 0; count < UPLOADS; count += 1) send(head('POST', apiKey));
      await until('they are admitted', async () => (await inFlight()) === UPLOADS);
      for (let count = UPLOADS; count < CROWD; count += 1) send(head('GET', apiKey));
      await until('all have come', async () => (await inFlight()) === CROWD);
      let working = 0;
      await untilGauges(service, 'some are queued', (gauges) => {
        working = gauges.working;
        return gauges.queued > 0;
      });
      assert.equal(working, MOST_AT_WORK_OF_A_MERCHANT);
    });
  });

  it('of a revoked key do not count against the quota of its merchant', async () => {
    const { id, apiKey } = await service.newKey(service.merchant);
    const statusOf = async (key: string) => (await service.call('GET', '/merchant', { key })).status;
    for (const key of [apiKey, service.merchant.apiKey]) assert.equal(await statusOf(key), 200);
    await moveApiKeyRow(service.deps.db, service.merchant.merchant, id, { from: ['active'], to: 'revoked' });
    assert.equal(await statusOf(apiKey), 403);
    const all = SHARE_OF_A_MERCHANT;
    let own: Promise<number> | undefined;
    await whileCustomersAreLocked(async () => {
      await lock.query('lock table api_keys in access exclusive mode');
      for (let count = 0; count < all; count += 1) send(head('GET', apiKey));
      await until('they fill what one merchant may', async () => (await inFlight()) === all);
      own = statusOf(service.merchant.apiKey);
      await until('the merchant comes in', async () => (await inFlight()) === all + 1, 3_000);
    });
    assert.equal(await own, 200);
  });

  for (const [what, path] of [
    ['without a key', '/api/v1/merchant'],
    ['outside the API', '/nothing'],
  ] as const) {
    it(`do not exclude other callers when their answers wait behind another one on the connection: ${what}`, async () => {
      await whileCustomersAreLocked(async () => {
        const answered = () => service.log.filter(({ message }) => message === 'request').length;
        const before = answered();
        const behind = `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(300);
        send(head('GET', service.merchant.apiKey) + behind);
        await until('they are done', () => answered() >= before + CROWD);
        await others();
        const { apiKey } = await service.newMerchant();
        assert.equal((await service.call('GET', '/merchant', { key: apiKey })).status, 200);
      });
    });
  }
});
