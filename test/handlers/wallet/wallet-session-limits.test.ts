/** How many wallet sessions an address and a domain can request. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestService, type TestService } from '../../support/service.ts';
import { Shop } from '../../support/shop.ts';
import { validateSession, verifiedDomain } from '../../support/wallet/wallet-shop.ts';

const FIRST = { 'X-Forwarded-For': '198.51.100.1' };

let service: TestService;
let shop: Shop;
before(async () => {
  service = await startTestService({ jobs: false, env: { TRUSTED_PROXIES: '127.0.0.1' } });
  shop = await Shop.open(service);
});
after(() => service.stop());

describe('429', () => {
  const STEADY = { 'X-Forwarded-For': '203.0.113.99' };

  it('an address can make 60 requests per minute, whatever they are; the answer has the CORS header', async () => {
    const statuses: number[] = [];
    let last = await validateSession(service, {}, STEADY);
    // A minute can end during the test, so that the count starts again.
    for (let i = 0; i < 130 && last.status !== 429; i += 1) {
      statuses.push(last.status);
      last = await validateSession(service, {}, STEADY);
    }
    assert.ok(statuses.length >= 60, String(statuses.length));
    assert.equal(last.body.error.code, 'rate_limited');
    assert.equal(last.body.error.message, 'Your network can make 60 requests per minute.');
    assert.equal(last.headers.get('access-control-allow-origin'), '*');
    assert.ok(Number(last.headers.get('retry-after')) > 0);
    assert.notEqual((await validateSession(service, {}, FIRST)).status, 429);
  });

  it('a domain can make 600 requests per minute', async () => {
    const { id } = await verifiedDomain(shop, 'cheia.wallet.test');
    const minute_ms = 60_000;
    const used = async (minute: number) =>
      service.deps.db.execute(
        shop.onboarded.merchant,
        `insert into rate_windows (slot, merchant_id, key_id, minute, used)
         values (:slot, :merchant_id, :id, :minute, 600)`,
        { id, minute: new Date(minute) },
      );
    const now_ms = Date.now() - (Date.now() % minute_ms);
    await used(now_ms);
    await used(now_ms + minute_ms);
    const { status, body, headers } = await validateSession(
      service,
      { validationURL: 'https://x.example', domainName: 'cheia.wallet.test' },
      FIRST,
    );
    assert.equal(status, 429);
    assert.equal(headers.get('access-control-allow-origin'), '*');
    assert.equal(body.error.message, 'This domain can make 600 requests per minute.');
  });
});
