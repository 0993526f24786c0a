import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { advance, clockNow, DAY_MS, MINUTE_MS } from '../../support/clock-calls.ts';
import { startServiceProcess } from '../../support/processes/service-process.ts';
import { request } from '../../support/service.ts';
import { sharedShop } from '../../support/shared-service.ts';
import { Shop } from '../../support/shop.ts';

const { service, shop } = await sharedShop();

describe('200', () => {
  test('is the current time if the clock was never moved', async () => {
    const before = Date.now();
    const body = await shop.get('/sandbox/clock');
    const { now, ...rest } = body;
    assert.deepEqual(rest, { status: 'idle', target: null });
    assert.ok(Date.parse(now) >= before && Date.parse(now) <= Date.now());
  });

  test('advances with the wall clock after a move', async () => {
    await advance(shop, { days: 7 });
    const started = Date.now();
    const first = await clockNow(shop);
    service.setAhead(MINUTE_MS);
    const passed_ms = (await clockNow(shop)) - first;
    service.setAhead(0);
    const took_ms = Date.now() - started;
    assert.ok(passed_ms >= MINUTE_MS && passed_ms <= MINUTE_MS + took_ms, `${passed_ms} ms`);
  });

  test('is the same in another process, and after a restart', async () => {
    const other = await Shop.open(service);
    const earliest = 100 * DAY_MS + Date.now();
    await advance(other, { days: 100 });
    const moving_ms = 100 * DAY_MS + Date.now() - earliest;
    for (let start = 1; start <= 2; start++) {
      const process = await startServiceProcess(service);
      const asked = Date.now();
      const { body } = await request(process.url, other.onboarded.apiKey, 'GET', '/sandbox/clock');
      const answered = Date.now();
      await process.kill();
      const ahead_ms = Date.parse(body.now) - 100 * DAY_MS;
      assert.ok(ahead_ms >= asked - moving_ms && ahead_ms <= answered, `${body.now}`);
    }
  });
});

describe('401 and 403', () => {
  test('are the answers without a key, and without the permission', async () => {
    assert.equal((await shop.call('GET', '/sandbox/clock', { key: null })).status, 401);
    const { apiKey } = await service.newKey(shop.onboarded, ['payments:write']);
    assert.equal((await shop.call('GET', '/sandbox/clock', { key: apiKey })).status, 403);
  });
});
