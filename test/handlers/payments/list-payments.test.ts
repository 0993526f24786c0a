import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Json } from '../../support/service.ts';
import { sharedShop } from '../../support/shared-service.ts';
import { assertRefused, Shop } from '../../support/shop.ts';

const { service, shop } = await sharedShop();
/** Newest first, as lists have them. */
const payments: Json[] = [
  await shop.pixPayment(1_000),
  await shop.cardPayment({ amount: 2_000 }),
  await shop.cardPayment({ amount: 3_000, capture: false }),
  await shop.cardPayment({ amount: 4_000, number: '4000000000000002' }),
  await shop.pixPayment(5_000),
].reverse();
await (await Shop.open(service)).pixPayment();

const list = (query = '') => shop.get(`/payments${query}`);
const ids = (page: Json): string[] => page.data.map(({ id }: Json) => id);
const pick = (...places: number[]) => places.map((place) => payments[place].id);

describe('200', () => {
  test("lists only the merchant's payments, newest first, as whole records", async () => {
    const page = await list();
    assert.deepEqual(page.data, payments);
    assert.deepEqual(page.pagination, { per_page: 20, has_more: false, next_cursor: null });
  });

  test('is an empty page for a merchant without payments', async () => {
    const page = await (await Shop.open(service)).get('/payments?per_page=1');
    assert.deepEqual(page, { data: [], pagination: { per_page: 1, has_more: false, next_cursor: null } });
  });

  const FILTERS: readonly [query: () => string, places: number[]][] = [
    [() => 'status=paid', [3]],
    [() => 'status=pre_authorized', [2]],
    [() => 'status=waiting_payment', [0, 4]],
    [() => 'status=AUTHORIZED', []],
    [() => 'payment_method=pix', [0, 4]],
    [() => 'payment_method=credit_card', [1, 2, 3]],
    [() => 'payment_method=bank_slip', []],
    [() => `customer_id=${payments[3].customer_id}`, [3]],
    [() => `customer_id=${payments[3].customer_id.toUpperCase()}`, [3]],
    [() => 'customer_id=01a1ff1f-49b8-74d4-b96f-58da6d4a8512', []],
    [() => `order_code=${payments[1].order_code}`, [1]],
    [() => 'order_code=none', []],
    [() => 'amount_min=3000', [0, 1, 2]],
    [() => 'amount_max=3000', [2, 3, 4]],
    [() => 'amount_min=2000&amount_max=4000', [1, 2, 3]],
    [() => 'amount_min=4001&amount_max=4999', []],
    [() => 'status=refused&payment_method=credit_card&amount_min=4000&amount_max=4000', [1]],
    [() => `created_from=${payments[1].created_at}`, [0, 1]],
    [() => `created_to=${payments[1].created_at}`, [1, 2, 3, 4]],
    [() => `created_from=${payments[3].created_at}&created_to=${payments[2].created_at}`, [2, 3]],
    [() => 'created_from=2020-01-01&created_to=2020-12-31', []],
    [() => `created_from=${payments[0].created_at}&created_to=${payments[4].created_at}`, []],
  ];
  for (const [query, places] of FILTERS) {
    test(`filters by ${String(query).slice(6)}`, async () => {
      assert.deepEqual(ids(await list(`?${query()}`)), pick(...places));
    });
  }

  test('filters by whole days of São Paulo, with both ends', async () => {
    const day = new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/Sao_Paulo' });
    const [first, last] = [payments[4], payments[0]].map((p) => day.format(Date.parse(p.created_at)));
    assert.deepEqual(ids(await list(`?created_from=${first}&created_to=${last}`)), ids({ data: payments }));
  });

  test('pages by cursor, unaffected by new payments', async () => {
    const busy = await Shop.open(service);
    const place = async () => (await busy.pixPayment()).id;
    const known: string[] = [];
    for (let i = 0; i < 5; i += 1) known.unshift(await place());
    const seen: string[] = [];
    let page = await busy.get('/payments?per_page=2');
    for (;;) {
      seen.push(...ids(page));
      if (!page.pagination.has_more) break;
      await place();
      page = await busy.get(`/payments?per_page=2&cursor=${encodeURIComponent(page.pagination.next_cursor)}`);
    }
    assert.deepEqual(seen, known);
    assert.equal(page.pagination.next_cursor, null);
    assert.equal((await busy.get('/payments')).data.length, 7);
  });

  test('pages through payments of the same instant', async () => {
    const busy = await Shop.open(service);
    for (let i = 0; i < 5; i += 1) await busy.pixPayment();
    await service.rows(
      "update payments set created_at = '2026-01-01T00:00:00.123456Z' where merchant_id = :id",
      {
        id: busy.account,
      },
    );
    const seen: string[] = [];
    let cursor = '';
    for (let i = 0; i < 3; i += 1) {
      const page = await busy.get(`/payments?per_page=2&status=waiting_payment${cursor}`);
      seen.push(...ids(page));
      cursor = `&cursor=${encodeURIComponent(page.pagination.next_cursor)}`;
    }
    assert.equal(seen.length, 5);
    assert.deepEqual(seen, [...new Set(seen)].sort().reverse());
  });
});

describe('422', () => {
  const WRONG: readonly [query: string, ...paths: string[]][] = [
    ['per_page=0', 'per_page'],
    ['per_page=101', 'per_page'],
    ['per_page=-1', 'per_page'],
    ['per_page=1.5', 'per_page'],
    ['per_page=ten', 'per_page'],
    ['per_page=', 'per_page'],
    ['cursor=abc', 'cursor'],
    ['status=PAID', 'status'],
    ['payment_method=cash', 'payment_method'],
    ['customer_id=42', 'customer_id'],
    ['amount_min=-1', 'amount_min'],
    ['amount_max=1.5', 'amount_max'],
    ['created_from=yesterday', 'created_from'],
    ['created_to=2026-02-30', 'created_to'],
    ['order_code=', 'order_code'],
    ['order_code=%00', 'order_code'],
    ['per_page=0&status=x&created_from=x', 'per_page', 'status', 'created_from'],
  ];
  for (const [query, ...paths] of WRONG) {
    test(query, async () => assertRefused(await shop.call('GET', `/payments?${query}`), ...paths));
  }

  test('but not for 1 and 100', async () => {
    assert.equal((await list('?per_page=1')).data.length, 1);
    assert.equal((await list('?per_page=100')).data.length, 5);
  });
});

describe('403', () => {
  test('a key without the permission', async () => {
    const { apiKey } = await service.newKey(shop.onboarded, ['customers:write', 'events:write']);
    assert.equal((await shop.call('GET', '/payments', { key: apiKey })).status, 403);
  });

  test('a read-only key cannot create an order', async () => {
    const { apiKey } = await service.newKey(shop.onboarded, ['payments:read']);
    const body = shop.pixOrderBody();
    assert.equal((await shop.call('POST', '/charges/orders', { key: apiKey, body })).status, 403);
    assert.equal((await shop.call('GET', '/payments', { key: apiKey })).status, 200);
  });

  test('but a suspended account can read', async () => {
    const pending = await Shop.open(service, { status: 'suspended' });
    assert.equal((await pending.call('GET', '/payments')).status, 200);
    assert.ok(await shop.placed(shop.pixOrderBody()));
  });
});
