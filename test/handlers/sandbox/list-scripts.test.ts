import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { assertRefused, created, Shop } from '../../support/shop.ts';

const service = await sharedService({ jobs: false });

const authorize = (outcome: string) => ({ operation: 'authorize', outcome });
const scripts = (shop: Shop, query = '') => shop.get(`/sandbox/scripts${query}`);
const make = (shop: Shop, body: object): Promise<Json> => created(shop.post('/sandbox/scripts', body));

describe('200', () => {
  test('lists scripts newest first, each with its remaining outcomes, also used up ones', async () => {
    const shop = await Shop.open(service);
    const customer_id = await shop.customer();
    const card_id = await shop.card(customer_id);
    const refund = { operation: 'refund', outcome: 'account_closed' };
    const first = await make(shop, {
      card_id,
      outcomes: [refund, authorize('approve'), authorize('lost_card')],
    });
    const second = await make(shop, { customer_id, outcomes: [{ operation: 'cancel', outcome: 'approve' }] });
    assert.deepEqual((await scripts(shop)).data, [second, first]);
    assert.deepEqual(first.remaining_outcomes, first.outcomes);

    const order = { code: 'a', mcc: '5734', customer: { id: customer_id } };
    const payment = {
      amount: 100,
      payment_method: 'credit_card',
      credit_card: { id: card_id, capture: false },
    };
    const placed = await shop.placed({ ...order, payment });
    const used = { ...first, remaining: 2, remaining_outcomes: [refund, authorize('lost_card')] };
    assert.deepEqual((await scripts(shop)).data, [second, used]);

    await shop.cancel(placed.payment.id);
    const page = await scripts(shop);
    assert.deepEqual(page.data, [{ ...second, remaining: 0, remaining_outcomes: [] }, used]);
    assert.deepEqual(page.pagination, { per_page: 20, has_more: false, next_cursor: null });
  });

  test('lists nothing of another merchant, and nothing after a reset', async () => {
    const shop = await Shop.open(service);
    await make(shop, { customer_id: await shop.customer(), outcomes: [authorize('approve')] });
    assert.deepEqual((await scripts(await Shop.open(service))).data, []);
    await shop.post('/sandbox/reset');
    assert.deepEqual((await scripts(shop)).data, []);
  });

  test('pages by cursor, also with 100 scripts of 100 outcomes on a page', async () => {
    const shop = await Shop.open(service);
    const customer_id = await shop.customer();
    const outcomes = Array.from({ length: 100 }, () => authorize('invalid_security_code'));
    const known: string[] = [];
    for (let i = 0; i < 101; i += 1) known.unshift((await make(shop, { customer_id, outcomes })).id);
    const all = await scripts(shop, '?per_page=100');
    assert.deepEqual(
      all.data.map(({ id }: Json) => id),
      known.slice(0, 100),
    );
    assert.equal(all.data[99].remaining_outcomes.length, 100);
    const rest = await scripts(shop, `?per_page=100&cursor=${all.pagination.next_cursor}`);
    assert.deepEqual([rest.data[0].id, rest.data.length, rest.pagination.has_more], [known[100], 1, false]);
  });

  test('pages through scripts of the same instant', async () => {
    const shop = await Shop.open(service);
    const customer_id = await shop.customer();
    for (let i = 0; i < 5; i += 1) await make(shop, { customer_id, outcomes: [authorize('approve')] });
    await service.rows(
      "update simulator.scripts set created_at = '2026-01-01T00:00:00Z' where account = :id",
      {
        id: shop.account,
      },
    );
    const seen: string[] = [];
    for (let cursor = ''; ; ) {
      const { data, pagination } = await scripts(shop, `?per_page=2${cursor}`);
      seen.push(...data.map(({ id }: Json) => id));
      if (!pagination.has_more) break;
      cursor = `&cursor=${pagination.next_cursor}`;
    }
    assert.deepEqual([seen.length, seen], [5, [...new Set(seen)].sort().reverse()]);
  });
});

describe('422 and 403', () => {
  const shop = Shop.open(service);
  for (const query of ['per_page=0', 'per_page=101', 'cursor=x', 'status=open'])
    test(query, async () =>
      assertRefused(await (await shop).call('GET', `/sandbox/scripts?${query}`), query.split('=')[0]!),
    );

  test('a key without the permission', async () => {
    const { apiKey } = await service.newKey((await shop).onboarded, ['payments:write', 'cards:write']);
    assert.equal((await (await shop).call('GET', '/sandbox/scripts', { key: apiKey })).status, 403);
  });
});
