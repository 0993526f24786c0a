import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { clockNow, DAY_MS, SECOND_MS } from '../../support/clock-calls.ts';
import { sharedService } from '../../support/shared-service.ts';
import { assertRefused, Shop } from '../../support/shop.ts';

const service = await sharedService({ jobs: false });
let shop: Shop;
beforeEach(async () => {
  service.setAhead(0);
  shop = await Shop.open(service);
});

const post = (body: unknown) => shop.call('POST', '/sandbox/clock/advance', { body });

describe('403', () => {
  test('a read-only key', async () => {
    const { apiKey } = await service.newKey(shop.onboarded, ['sandbox:read']);
    const answer = await shop.call('POST', '/sandbox/clock/advance', { key: apiKey, body: { days: 1 } });
    assert.equal(answer.status, 403);
    assert.equal((await shop.call('GET', '/sandbox/clock', { key: apiKey })).status, 200);
  });
});

describe('422', () => {
  const bodies: readonly (readonly [name: string, body: unknown, paths: readonly string[]])[] = [
    ['neither', {}, ['days']],
    ['both', { to: '2040-01-01T00:00:00Z', days: 1 }, ['days']],
    ['no days', { days: 0 }, ['days']],
    ['days back', { days: -1 }, ['days']],
    ['half a day', { days: 1.5 }, ['days']],
    ['days as a text', { days: '1' }, ['days']],
    ['days that are null', { days: null }, ['days']],
    ['more than 5 years of days', { days: 1_827 }, ['days']],
    ['more days than a number holds', { days: 1e300 }, ['days']],
    ['a day that does not exist', { to: '2030-02-30T00:00:00Z' }, ['to']],
    ['an hour that does not exist', { to: '2030-02-20T24:30:00Z' }, ['to']],
    ['a leap second', { to: '2030-06-30T23:59:60Z' }, ['to']],
    ['a time without its offset', { to: '2030-02-20T10:00:00' }, ['to']],
    ['a day alone', { to: '2030-02-20' }, ['to']],
    ['a number', { to: 1_900_000_000 }, ['to']],
    ['an empty text', { to: '' }, ['to']],
    ['a year of five digits', { to: '+12030-02-20T10:00:00Z' }, ['to']],
    ['the past', { to: '2020-01-01T00:00:00Z' }, ['to']],
    ['the far past', { to: '0000-01-01T00:00:00Z' }, ['to']],
    ['the end of time', { to: '9999-12-31T23:59:59Z' }, ['to']],
    ['another field', { days: 1, hours: 1 }, ['hours']],
  ];
  for (const [name, body, paths] of bodies) {
    test(name, async () => {
      assertRefused(await post(body), ...paths);
      assert.equal((await shop.get('/sandbox/clock')).status, 'idle');
    });
  }

  test('the current time, and 5 years and a second', async () => {
    const now = new Date(Date.now() + DAY_MS);
    assert.equal((await post({ to: now.toISOString() })).status, 200);
    assertRefused(await post({ to: now.toISOString() }), 'to');
    const far = new Date(await clockNow(shop));
    far.setUTCFullYear(far.getUTCFullYear() + 5);
    far.setTime(far.getTime() + SECOND_MS * 10);
    const refused = await post({ to: far.toISOString() });
    assertRefused(refused, 'to');
    assert.deepEqual(refused.body.errors.to, [
      'Must be at most 5 years after the present time of the clock.',
    ]);
  });

  test('a refused advance stores no clock, and is repeated under its key', async () => {
    const asked = { to: '2020-01-01T00:00:00Z' };
    const first = await shop.post('/sandbox/clock/advance', asked, 'backwards');
    const again = await shop.post('/sandbox/clock/advance', asked, 'backwards');
    assert.deepEqual([first.status, again.status, again.text], [422, 422, first.text]);
    assert.equal(again.headers.get('idempotency-replayed'), 'true');
    const rows = await service.rows('select 1 from merchant_clocks where merchant_id = :account', {
      account: shop.account,
    });
    assert.deepEqual(rows, []);
  });
});
