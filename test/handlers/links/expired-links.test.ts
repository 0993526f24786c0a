/** Links are marked some time after they expire. No answer shows when. */
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { advance, clockNow, DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../support/clock-calls.ts';
import { linkBody } from '../../support/pages/link-bodies.ts';
import { countPlaces } from '../../support/pages/link-places.ts';
import { markExpiredLinks } from '../../support/run-jobs.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { created, Shop } from '../../support/shop.ts';

/** The wall time. Only the tests move it. */
let wall_ms = Date.now();
const service = await sharedService({ jobs: false, overrides: { wall: () => new Date(wall_ms) } });
let shop: Shop;
beforeEach(async () => {
  shop = await Shop.open(service);
});

const iso = (ms: number) => new Date(ms).toISOString();
const newLink = (fields: object): Promise<Json> => created(shop.post('/payment-links', linkBody(fields)));
const update = async (id: string, body: object): Promise<Json> =>
  (await shop.call('PUT', `/payment-links/${id}`, { body })).body;

/** Runs the job. Returns how many links of this shop it marked. */
async function mark(): Promise<number> {
  const marked = async () => {
    const [row] = await service.rows<{ count: number }>(
      'select count(*) as count from payment_links where merchant_id = :id and is_expired',
      { id: shop.account },
    );
    return row!.count;
  };
  const before = await marked();
  await markExpiredLinks(service.deps);
  return (await marked()) - before;
}

/** The titles of the links with each status. They must have this status. */
async function listed(): Promise<Record<string, string[]>> {
  const titles: Record<string, string[]> = {};
  for (const status of ['active', 'expired', 'exhausted', 'disabled']) {
    const { data } = await shop.get(`/payment-links?status=${status}`);
    for (const link of data) assert.equal(link.status, status);
    if (data.length > 0) titles[status] = data.map(({ title }: Json) => title);
  }
  return titles;
}

/** The same before links are marked, and after. */
async function assertListed(expected: Record<string, string[]>, marked: number): Promise<void> {
  assert.deepEqual(await listed(), expected);
  assert.equal(await mark(), marked);
  assert.deepEqual(await listed(), expected, 'after links were marked');
}

describe('the lists of payment links by status', () => {
  test('show a link as expired from the very instant on', async () => {
    const expires_ms = wall_ms + HOUR_MS;
    await newLink({ title: 'A', expires_at: iso(expires_ms) });
    await newLink({ title: 'B' });
    wall_ms = expires_ms - 1;
    await assertListed({ active: ['B', 'A'] }, 0);
    wall_ms = expires_ms;
    await assertListed({ active: ['B'], expired: ['A'] }, 0);
    wall_ms += MINUTE_MS - 1;
    await assertListed({ active: ['B'], expired: ['A'] }, 0);
    wall_ms += 1;
    await assertListed({ active: ['B'], expired: ['A'] }, 1);
    wall_ms += DAY_MS;
    await assertListed({ active: ['B'], expired: ['A'] }, 0);
  });

  test('show a process whose clock is behind the same as before a link was marked', async () => {
    const expires_ms = wall_ms + HOUR_MS;
    await newLink({ title: 'A', expires_at: iso(expires_ms) });
    wall_ms = expires_ms + MINUTE_MS - 1;
    assert.equal(await mark(), 0);
    wall_ms = expires_ms - SECOND_MS;
    assert.deepEqual(await listed(), { active: ['A'] });
  });

  test('show a link as active after its expires_at is moved or removed', async () => {
    const [a, b] = [
      await newLink({ title: 'A', expires_at: iso(wall_ms + HOUR_MS) }),
      await newLink({ title: 'B' }),
    ];
    wall_ms += 2 * HOUR_MS;
    await assertListed({ active: ['B'], expired: ['A'] }, 1);
    await update(a.id, { expires_at: iso(wall_ms + HOUR_MS) });
    await update(b.id, { expires_at: iso(wall_ms + HOUR_MS) });
    await assertListed({ active: ['B', 'A'] }, 0);
    wall_ms += 2 * HOUR_MS;
    await assertListed({ expired: ['B', 'A'] }, 2);
    await update(a.id, { expires_at: null });
    await assertListed({ active: ['A'], expired: ['B'] }, 0);
  });

  test('show a link as expired after another change', async () => {
    const { id } = await newLink({ title: 'A', expires_at: iso(wall_ms + HOUR_MS) });
    wall_ms += 2 * HOUR_MS;
    assert.equal(await mark(), 1);
    await update(id, { title: 'Oficina' });
    await assertListed({ expired: ['Oficina'] }, 1);
  });

  test('show a link that is disabled and enabled again', async () => {
    const { id } = await newLink({ title: 'A', expires_at: iso(wall_ms + HOUR_MS) });
    await shop.post(`/payment-links/${id}/disable`);
    wall_ms += 2 * HOUR_MS;
    await assertListed({ disabled: ['A'] }, 0);
    await shop.post(`/payment-links/${id}/enable`);
    await assertListed({ expired: ['A'] }, 1);
    await shop.post(`/payment-links/${id}/disable`);
    await assertListed({ disabled: ['A'] }, 0);
    await shop.post(`/payment-links/${id}/enable`);
    await assertListed({ expired: ['A'] }, 0);
  });

  test('show an exhausted link as expired, and as exhausted when expires_at is moved', async () => {
    const { id } = await newLink({ title: 'A', max_payments: 1, expires_at: iso(wall_ms + HOUR_MS) });
    await countPlaces(service, shop, id, 1);
    await assertListed({ exhausted: ['A'] }, 0);
    wall_ms += 2 * HOUR_MS;
    await assertListed({ expired: ['A'] }, 1);
    await update(id, { expires_at: null });
    await assertListed({ exhausted: ['A'] }, 0);
  });

  test('follow the clock of the merchant, and wall time after a reset', async () => {
    const body = { title: 'A', expires_at: iso(wall_ms + HOUR_MS) };
    const link = await newLink(body);
    const { steps, events } = await advance(shop, { days: 1 });
    assert.deepEqual([steps, events], [[], []], 'to expire is no work of the clock');
    const [shown] = (await shop.get('/payment-links?status=expired')).data;
    await assertListed({ expired: ['A'] }, 1);
    assert.deepEqual(shown, { ...link, status: 'expired' });
    assert.deepEqual(
      await shop.get(`/payment-links/${link.id}`),
      shown,
      'a mark changes nothing that is shown',
    );
    await newLink({ title: 'B', expires_at: iso((await clockNow(shop)) + HOUR_MS) });
    await assertListed({ active: ['B'], expired: ['A'] }, 0);
    await shop.post('/sandbox/reset', {});
    await newLink(body);
    await assertListed({ active: ['A'] }, 0);
    wall_ms += 2 * HOUR_MS;
    await assertListed({ expired: ['A'] }, 1);
  });

  test('follow a clock that does not move while it is advanced', async () => {
    await newLink({ title: 'A', expires_at: iso(wall_ms + HOUR_MS) });
    await service.rows(
      `insert into merchant_clocks (slot, merchant_id, pinned_at, target, advance_id, lease_id, leased_until)
       select slot, merchant_id, :at, :target, gen_random_uuid(), gen_random_uuid(), :target from merchants where merchant_id = :id`,
      { at: new Date(wall_ms), target: new Date(wall_ms + DAY_MS), id: shop.account },
    );
    wall_ms += 2 * HOUR_MS;
    await assertListed({ active: ['A'] }, 0);
    await service.rows('delete from merchant_clocks where merchant_id = :id', { id: shop.account });
    await assertListed({ expired: ['A'] }, 1);
  });
});

describe('the pages of expired payment links', () => {
  /** Reads all pages, and does `between` before each of the next ones. */
  async function pagesWith(between: (page: number) => Promise<unknown>): Promise<string[][]> {
    const pages: string[][] = [];
    for (let cursor = ''; ; ) {
      const path = `/payment-links?status=expired&per_page=2${cursor && `&cursor=${cursor}`}`;
      const { data, pagination } = await shop.get(path);
      pages.push(data.map(({ title }: Json) => title));
      if (pagination.next_cursor === null) return pages;
      cursor = pagination.next_cursor;
      await between(pages.length);
    }
  }

  /** Seven links of one instant: those with odd numbers are to be marked, the others have expired just now. */
  async function expireSeven(): Promise<string[]> {
    const expires_ms = wall_ms + DAY_MS;
    for (const n of [1, 2, 3, 4, 5, 6, 7]) {
      await newLink({ title: `${n}`, expires_at: iso(n % 2 === 1 ? expires_ms : expires_ms + HOUR_MS) });
    }
    await service.rows('update payment_links set created_at = :at where merchant_id = :id', {
      at: new Date(wall_ms),
      id: shop.account,
    });
    wall_ms = expires_ms + HOUR_MS;
    const rows = await service.rows<{ title: string }>(
      'select title from payment_links where merchant_id = :id order by id desc',
      { id: shop.account },
    );
    return rows.map(({ title }) => title);
  }

  test('have each link once, in their order, whether it is marked or not', async () => {
    const titles = await expireSeven();
    const inPages = [titles.slice(0, 2), titles.slice(2, 4), titles.slice(4, 6), titles.slice(6)];
    assert.deepEqual(await pagesWith(async () => {}), inPages);
    assert.equal(await mark(), 4);
    assert.deepEqual(await pagesWith(async () => {}), inPages);
  });

  test('have each link once when links are marked between two pages', async () => {
    const titles = await expireSeven();
    const pages = await pagesWith(async (page) => {
      if (page === 2) wall_ms += MINUTE_MS;
      assert.equal(await mark(), [4, 3, 0][page - 1]);
    });
    assert.deepEqual(pages.flat(), titles);
  });
});
