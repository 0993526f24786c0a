import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { HostLookups } from '../../../services/webhooks/host-lookups.ts';
import { gaugesOf, untilGauges, untilIdle } from '../../support/http/gauges.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { NameServer } from '../../support/webhooks/name-server.ts';

/** The maximum of look-ups in flight for one merchant. */
const MAX_LOOKUPS_PER_MERCHANT = 4;

describe('orders whose notification_url has a name server that does not answer', () => {
  let service: TestService;
  let nameServer: NameServer;
  before(async () => {
    nameServer = await NameServer.start((host) => {
      if (host.endsWith('.silent.example')) return undefined;
      return host.startsWith('private') ? '10.0.0.1' : '203.0.114.7';
    });
    // A look-up lasts longer than the test, so that no request continues because of a time-out.
    const hostLookups = new HostLookups({ servers: [nameServer.address], timeout_ms: 120_000 });
    service = await startTestService({ jobs: false, overrides: { hostLookups } });
  });
  after(async () => {
    nameServer.answerOpenQueries();
    await service.stop();
    await nameServer[Symbol.asyncDispose]();
  });

  const order = (key: string, host: string | null) =>
    service.call('POST', '/charges/orders', {
      key,
      body: {
        code: randomUUID(),
        mcc: '5734',
        customer: { name: 'Ana Souza', email: `${randomUUID()}@example.com` },
        payment: { amount: 1_000, payment_method: 'pix' },
        ...(host === null ? {} : { notification_url: `https://${host}/hook` }),
      },
    });

  it("delay no request of other merchants, and only a few of their own merchant's", async () => {
    const ORDERS = 30;
    const merchants = [await service.newMerchant(), await service.newMerchant()];
    const statuses: number[] = [];
    const asked = merchants.flatMap(({ apiKey }) =>
      Array.from({ length: ORDERS }, async (_, n) => {
        const { status } = await order(apiKey, `${n}.silent.example`);
        statuses.push(status);
      }),
    );
    await until('the name server is asked', () => nameServer.asked.length > 0);
    let served: number | undefined;
    const other = order(service.merchant.apiKey, null).then(({ status }) => {
      served = status;
    });
    await until('another merchant is served', () => served !== undefined);
    assert.equal(served, 201);
    const waiting = merchants.length * MAX_LOOKUPS_PER_MERCHANT;
    await until('the others are served', () => statuses.length === merchants.length * ORDERS - waiting);
    await untilGauges(service, 'the rest waits', ({ in_flight }) => in_flight === waiting);
    assert.equal((await gaugesOf(service)).waiting, waiting);
    nameServer.answerOpenQueries();
    await Promise.all([...asked, other]);
    assert.deepEqual(new Set(statuses), new Set([201]));
    await untilIdle(service);
  });

  it('share one look-up of the same host, and get the same error', async () => {
    const before = nameServer.asked.length;
    const { apiKey } = await service.newMerchant();
    const answers = await Promise.all(Array.from({ length: 12 }, () => order(apiKey, 'private.example')));
    for (const { status, body } of answers) {
      assert.equal(status, 422);
      assert.deepEqual(body.errors.notification_url, ['Must resolve to public addresses only.']);
    }
    assert.ok(nameServer.asked.length - before <= 2 * MAX_LOOKUPS_PER_MERCHANT);
    assert.equal((await order(apiKey, 'public.example')).status, 201);
  });
});
