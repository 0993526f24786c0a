import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { advance, clockNow, DAY_MS, MINUTE_MS, SECOND_MS } from '../../support/clock-calls.ts';
import { type MoneyService, startMoneyService } from '../../support/money-service.ts';
import { request } from '../../support/service.ts';
import { startServiceProcess } from '../../support/service-process.ts';
import { Shop } from '../../support/shop.ts';

let service: MoneyService;
let shop: Shop;
before(async () => {
  service = await startMoneyService();
  shop = await Shop.open(service);
});
after(() => service.stop());

describe('200', () => {
  test('tells the present time of a clock that was never moved', async () => {
    const before = Date.now();
    const body = await shop.get('/sandbox/clock');
    const { now, ...rest } = body;
    assert.deepEqual(rest, { status: 'idle', target: null });
    assert.ok(Date.parse(now) >= before && Date.parse(now) <= Date.now());
  });

  test('ticks with the wall clock once it was moved', async () => {
    await advance(shop, { days: 7 });
    const first = await clockNow(shop);
    service.setAhead(MINUTE_MS);
    const passed_ms = (await clockNow(shop)) - first;
    service.setAhead(0);
    assert.ok(passed_ms >= MINUTE_MS && passed_ms < MINUTE_MS + 5 * SECOND_MS, `${passed_ms} ms`);
  });

  test('is the same in another process, and in one that starts anew', async () => {
    const other = await Shop.open(service);
    await advance(other, { days: 100 });
    for (let start = 1; start <= 2; start++) {
      const process = await startServiceProcess(service);
      const { body } = await request(process.url, other.onboarded.apiKey, 'GET', '/sandbox/clock');
      await process.kill();
      const drift_ms = Math.abs(Date.parse(body.now) - (Date.now() + 100 * DAY_MS));
      assert.ok(drift_ms < 10 * SECOND_MS, `${drift_ms} ms`);
    }
  });
});

describe('401 and 403', () => {
  test('no key, and a key without the permission', async () => {
    assert.equal((await shop.call('GET', '/sandbox/clock', { key: null })).status, 401);
    const { apiKey } = await service.newKey(shop.onboarded, ['payments:write']);
    assert.equal((await shop.call('GET', '/sandbox/clock', { key: apiKey })).status, 403);
  });
});
