import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Json } from '../../support/service.ts';
import { sharedShop } from '../../support/shared-service.ts';
import { assertRefused, Shop } from '../../support/shop.ts';

const { service, shop } = await sharedShop();

const byCard = async (number?: string, capture?: boolean) =>
  shop.placed(await shop.cardOrderBody({ number, ...(capture === undefined ? {} : { capture }) }));
const paidByPix = async () => {
  const order = await shop.placed(shop.pixOrderBody());
  await shop.simulate(order.payment.id, 'paid');
  return order;
};
const [waiting, paid, reserved, refused, refunded, partly, disputed, expired, canceled] = [
  await shop.placed(shop.pixOrderBody()),
  await byCard(),
  await byCard(undefined, false),
  await byCard('4000000000000002'),
  await paidByPix(),
  await byCard(),
  await byCard(),
  await shop.placed(shop.pixOrderBody()),
  await byCard(undefined, false),
];
await shop.refund(refunded.payment.id);
await shop.refund(partly.payment.id, 100);
await shop.simulate(disputed.payment.id, 'chargeback_requested');
await shop.simulate(expired.payment.id, 'expired');
await shop.cancel(canceled.payment.id);
await (await Shop.open(service)).pixPayment();
/** Newest first, as lists have them. */
const orders: Json[] = [
  waiting,
  paid,
  reserved,
  refused,
  refunded,
  partly,
  disputed,
  expired,
  canceled,
].reverse();

const list = (query = '') => shop.get(`/charges/orders${query}`);
const ids = (page: Json): string[] => page.data.map(({ id }: Json) => id);

/** Every row of a list, page by page. */
async function allPages(of: Shop, query: string): Promise<string[]> {
  const seen: string[] = [];
  for (let cursor = ''; ; ) {
    const { data, pagination } = await of.get(`/charges/orders?${query}${cursor}`);
    seen.push(...data.map(({ id }: Json) => id));
    if (!pagination.has_more) return seen;
    cursor = `&cursor=${encodeURIComponent(pagination.next_cursor)}`;
  }
}

describe('200', () => {
  test("lists only the merchant's orders, newest first, as current whole records", async () => {
    const page = await list();
    const whole = await Promise.all(orders.map(({ id }) => shop.get(`/charges/orders/${id}`)));
    assert.deepEqual(page.data, whole);
    assert.deepEqual(page.pagination, { per_page: 20, has_more: false, next_cursor: null });
  });

  test('is an empty page for a merchant without orders', async () => {
    const page = await (await Shop.open(service)).get('/charges/orders?per_page=1');
    assert.deepEqual(page, { data: [], pagination: { per_page: 1, has_more: false, next_cursor: null } });
  });

  const FILTERS: readonly [query: () => string, found: () => Json[]][] = [
    [() => 'status=pending', () => [reserved, waiting]],
    [() => 'status=paid', () => [disputed, partly, paid]],
    [() => 'status=refused', () => [refused]],
    [() => 'status=expired', () => [expired]],
    [() => 'status=canceled', () => [canceled]],
    [() => 'status=refunded', () => [refunded]],
    [() => 'status=charged_back', () => []],
    [() => `code=${paid.code}`, () => [paid]],
    [() => `code=${paid.code}&status=paid`, () => [paid]],
    [() => `code=${paid.code}&status=pending`, () => []],
    [() => 'code=none', () => []],
    [() => `customer_id=${paid.customer_id}`, () => [paid]],
    [() => `customer_id=${paid.customer_id.toUpperCase()}`, () => [paid]],
    [() => `customer_id=${paid.customer_id}&status=paid`, () => [paid]],
    [() => `customer_id=${paid.customer_id}&status=pending`, () => []],
    [() => 'customer_id=01a1ff1f-49b8-74d4-b96f-58da6d4a8512', () => []],
    [() => `created_from=${disputed.created_at}`, () => [canceled, expired, disputed]],
    [() => `created_to=${paid.created_at}`, () => [paid, waiting]],
    [() => `created_to=${paid.created_at}&status=pending`, () => [waiting]],
    [
      () => `created_from=${paid.created_at}&created_to=${disputed.created_at}&status=paid`,
      () => [disputed, partly, paid],
    ],
    [() => `created_from=${partly.created_at}&status=paid`, () => [disputed, partly]],
    [() => 'created_from=2020-01-01&created_to=2020-12-31', () => []],
  ];
  for (const [query, found] of FILTERS) {
    test(`filters by ${String(query).slice(6)}`, async () => {
      assert.deepEqual(
        ids(await list(`?${query()}`)),
        found().map(({ id }) => id),
      );
    });
  }

  test('pages by cursor, with and without a status, unaffected by new orders', async () => {
    const busy = await Shop.open(service);
    const place = async () => (await busy.placed(busy.pixOrderBody())).id;
    const known: string[] = [];
    for (let i = 0; i < 5; i += 1) known.unshift(await place());
    for (const filter of ['', '&status=pending']) {
      const seen: string[] = [];
      let page = await busy.get(`/charges/orders?per_page=2${filter}`);
      for (;;) {
        seen.push(...ids(page));
        if (!page.pagination.has_more) break;
        known.unshift(await place());
        page = await busy.get(
          `/charges/orders?per_page=2${filter}&cursor=${encodeURIComponent(page.pagination.next_cursor)}`,
        );
      }
      assert.deepEqual(seen, known.slice(-seen.length));
      assert.ok(seen.length >= 5);
    }
  });

  test('pages through orders of the same instant with several payment statuses', async () => {
    const busy = await Shop.open(service);
    for (let i = 0; i < 3; i += 1) {
      await busy.placed(busy.pixOrderBody());
      await busy.placed(await busy.cardOrderBody({ capture: false }));
    }
    for (const table of ['orders', 'payments'])
      await service.rows(
        `update ${table} set created_at = '2026-01-01T00:00:00.123456Z' where merchant_id = :id`,
        { id: busy.account },
      );
    const all = await allPages(busy, 'per_page=2');
    assert.deepEqual([all.length, all], [6, [...new Set(all)].sort().reverse()]);
    assert.deepEqual(await allPages(busy, 'per_page=2&status=pending'), all);
    assert.deepEqual(await allPages(busy, 'per_page=1&status=pending'), all);
  });
});

describe('422', () => {
  const WRONG: readonly [query: string, ...paths: string[]][] = [
    ['per_page=0', 'per_page'],
    ['per_page=101', 'per_page'],
    ['cursor=abc', 'cursor'],
    ['status=PAID', 'status'],
    ['status=waiting_payment', 'status'],
    ['customer_id=42', 'customer_id'],
    ['code=', 'code'],
    [`code=${'x'.repeat(65)}`, 'code'],
    ['code=%00', 'code'],
    ['order_code=x', 'order_code'],
    ['created_from=yesterday', 'created_from'],
    ['per_page=0&status=x&created_to=x', 'per_page', 'status', 'created_to'],
  ];
  for (const [query, ...paths] of WRONG) {
    test(query.slice(0, 40), async () =>
      assertRefused(await shop.call('GET', `/charges/orders?${query}`), ...paths),
    );
  }
});

describe('403', () => {
  test('a key without payments:read', async () => {
    const { apiKey } = await service.newKey(shop.onboarded, ['customers:write', 'events:write']);
    assert.equal((await shop.call('GET', '/charges/orders', { key: apiKey })).status, 403);
  });

  test('but a suspended account can read', async () => {
    const closed = await Shop.open(service, { status: 'suspended' });
    assert.equal((await closed.call('GET', '/charges/orders')).status, 200);
  });
});
