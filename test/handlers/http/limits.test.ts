import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { updateMerchant } from '../../../db/merchants/merchants.ts';
import { MINUTE_MS } from '../../../domain/durations.ts';
import { startTestService, type TestService } from '../../support/service.ts';
import { UNKNOWN_ID } from '../../support/shop.ts';
import { until } from '../../support/until.ts';

describe('the rate limit of a key', () => {
  let service: TestService;
  // The clock is in the middle of a minute, so that each test runs within one minute.
  let wall = new Date(Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS + 20_000);
  before(async () => {
    service = await startTestService({ overrides: { wall: () => wall } });
  });
  after(() => service.stop());

  async function limited(limit: number) {
    const merchant = await service.newMerchant();
    await updateMerchant(service.deps.db, merchant.merchant, {
      changes: { rateLimitPerMinute: limit },
      at: wall,
    });
    return merchant;
  }

  it('counts down, refuses with 429 and Retry-After, and starts again with the next minute', async () => {
    const { apiKey } = await limited(3);
    for (const remaining of ['2', '1', '0']) {
      const { status, headers } = await service.call('GET', '/customers', { key: apiKey });
      assert.equal(status, 200);
      assert.equal(headers.get('ratelimit-limit'), '3');
      assert.equal(headers.get('ratelimit-remaining'), remaining);
      assert.equal(headers.get('ratelimit-reset'), '40');
    }
    const { status, headers, body } = await service.call('GET', '/customers', { key: apiKey });
    assert.equal(status, 429);
    assert.equal(body.error.code, 'rate_limited');
    assert.equal(headers.get('retry-after'), '40');
    wall = new Date(wall.getTime() + MINUTE_MS);
    assert.equal((await service.call('GET', '/customers', { key: apiKey })).status, 200);
  });

  it('allows exactly its number of simultaneous requests', async () => {
    const { apiKey } = await limited(40);
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => service.call('GET', '/customers', { key: apiKey })),
    );
    assert.equal(answers.filter((answer) => answer.status === 200).length, 40);
    assert.equal(answers.filter((answer) => answer.status === 429).length, 60);
  });

  it('is not used up by the requests of many other keys and addresses', async () => {
    const { rateLimiter } = await import('../../../services/merchants/rate-limit.ts');
    const { merchant } = await service.newMerchant();
    const limiter = rateLimiter(service.deps.db, () => wall, { maxKeys: 2 });
    for (let i = 1; i <= 60; i += 1) {
      await limiter.take(merchant, randomUUID(), 60);
      assert.ok((await limiter.take(merchant, merchant.merchantId, 60)).allowed, `request ${i}`);
    }
  });

  it('is shared by the processes that serve the key', async () => {
    const { rateLimiter } = await import('../../../services/merchants/rate-limit.ts');
    const { merchant } = await service.newMerchant();
    const processes = [rateLimiter(service.deps.db, () => wall), rateLimiter(service.deps.db, () => wall)];
    const keyId = merchant.merchantId;
    let allowed = 0;
    for (let i = 0; i < 60; i++) {
      const decision = await processes[i % 2]!.take(merchant, keyId, 50);
      if (decision.allowed) allowed += 1;
    }
    assert.equal(allowed, 50);
  });

  it('is separate for each key', async () => {
    const merchant = await limited(1);
    const { apiKey } = await service.newKey(merchant);
    assert.equal((await service.call('GET', '/customers', { key: merchant.apiKey })).status, 200);
    assert.equal((await service.call('GET', '/customers', { key: merchant.apiKey })).status, 429);
    assert.equal((await service.call('GET', '/customers', { key: apiKey })).status, 200);
  });

  describe('counts requests without the permission', () => {
    const order = {
      code: 'a',
      mcc: '5734',
      customer: { name: 'Ana Souza', email: 'ana@example.com' },
      payment: { amount: 1_000, payment_method: 'pix' },
    };
    for (const [what, input, permissions, method, path, status] of [
      ['for want of a permission', {}, ['customers:read'], 'GET', '/payments', 403],
      ['for want of a permission for cards', {}, ['customers:read'], 'GET', `/cards/${UNKNOWN_ID}`, 403],
      ['for want of the resource in its plan', { plan: 'essential' }, null, 'GET', '/recipients', 403],
      ['while the account is not approved', { status: 'pending' }, null, 'POST', '/charges/orders', 403],
      ['to read an account that is not approved', { status: 'pending' }, null, 'GET', '/merchant', 401],
    ] as const) {
      it(what, async () => {
        const merchant = await service.newMerchant(input);
        await updateMerchant(service.deps.db, merchant.merchant, {
          changes: { rateLimitPerMinute: 2 },
          at: wall,
        });
        const { apiKey: key } = await service.newKey(merchant, permissions ?? undefined);
        const ask = () => service.call(method, path, { key, ...(method === 'POST' ? { body: order } : {}) });
        for (const remaining of ['1', '0']) {
          const answer = await ask();
          assert.equal(answer.status, status, answer.text);
          assert.equal(answer.headers.get('ratelimit-remaining'), remaining);
        }
        assert.equal((await ask()).status, 429);
      });
    }

    it('counts a request whose permission is refused before its body is validated', async () => {
      const { apiKey: key } = await service.newKey(service.merchant, ['customers:read']);
      for (const rawBody of ['{}', '{"unknown": 1}', 'not JSON']) {
        assert.equal((await service.call('POST', '/customers', { key, rawBody })).status, 403);
      }
    });
  });

  it('is 3,000 per minute in the sandbox by default', async () => {
    const { headers } = await service.call('GET', '/customers');
    assert.equal(headers.get('ratelimit-limit'), '3000');
  });
});

describe('overload', () => {
  const LIMIT = 4;
  let service: TestService;
  before(async () => {
    service = await startTestService({ env: { MAX_IN_FLIGHT: String(LIMIT) } });
  });
  after(() => service.stop());

  /** Requests that read customers hang until this is released. */
  async function holdCustomers(): Promise<() => Promise<void>> {
    const client = new pg.Client({ connectionString: service.databaseUrl });
    await client.connect();
    await client.query('begin');
    await client.query('lock table customers in access exclusive mode');
    return () => client.end();
  }

  it('answers 503 with Retry-After above the limit of requests in flight, and serves the others', async () => {
    // Of two merchants that are known: one alone does not get all tickets (hostile.test.ts).
    const { apiKey } = await service.newMerchant();
    for (const call of [{}, { key: apiKey }]) {
      assert.equal((await service.call('GET', '/customers', call)).status, 200);
    }
    const release = await holdCustomers();
    const held = [null, null, apiKey, apiKey].map((key) =>
      service.call('GET', '/customers', key === null ? {} : { key }),
    );
    assert.equal(held.length, LIMIT);
    await until('the limit is reached', async () => {
      const metrics = await (await fetch(`${service.internalUrl}/metrics`)).text();
      return metrics.includes(`centavo_http_requests_in_flight ${LIMIT}\n`);
    });
    const shed = await Promise.all(Array.from({ length: 20 }, () => service.call('GET', '/customers')));
    for (const { status, headers, body } of shed) {
      assert.equal(status, 503);
      assert.equal(body.error.code, 'overloaded');
      assert.equal(headers.get('retry-after'), '1');
    }
    assert.equal((await fetch(`${service.url}/healthz`)).status, 200);
    await release();
    for (const { status } of await Promise.all(held)) assert.equal(status, 200);
    assert.equal((await service.call('GET', '/customers')).status, 200);
  });
});
