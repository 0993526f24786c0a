import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { merchantDay } from '../../../domain/local-time.ts';
import { advance } from '../../support/clock-calls.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { assertRefused, Shop, UNKNOWN_ID } from '../../support/shop.ts';
import { NO_FUNDS, newOffer, subscribed } from '../../support/subscriptions/subscription-calls.ts';

const service = await sharedService({ jobs: false });
let shop: Shop;
beforeEach(async () => {
  shop = await Shop.open(service);
});

const idsOf = async (path: string): Promise<string[]> =>
  (await shop.get(path)).data.map(({ id }: Json) => id);

describe('the list of subscriptions', () => {
  test('has the newest first, each as it is read alone', async () => {
    const first = await subscribed(shop);
    const second = await subscribed(shop, { trial_days: 3 });
    assert.deepEqual((await shop.get('/subscriptions')).data, [second, first]);
    const page = await shop.get('/subscriptions?per_page=1');
    const { next_cursor } = page.pagination;
    assert.deepEqual(await idsOf(`/subscriptions?per_page=1&cursor=${next_cursor}`), [first.id]);
  });

  test('is narrowed by status, customer, offer and code', async () => {
    const offer_id = await newOffer(shop, { cycles: [{ start: 1, amount: 4_990 }] });
    const active = await subscribed(shop);
    const ofOffer = await subscribed(shop, { offer_id });
    const refused = await subscribed(shop, {}, NO_FUNDS);
    assert.deepEqual(await idsOf('/subscriptions?status=payment_refused'), [refused.id]);
    assert.deepEqual(await idsOf('/subscriptions?status=active'), [ofOffer.id, active.id]);
    assert.deepEqual(await idsOf(`/subscriptions?customer_id=${active.customer_id}`), [active.id]);
    assert.deepEqual(await idsOf(`/subscriptions?offer_id=${offer_id}`), [ofOffer.id]);
    assert.deepEqual(await idsOf(`/subscriptions?code=${refused.code}`), [refused.id]);
    assert.deepEqual(await idsOf(`/subscriptions?offer_id=${UNKNOWN_ID}`), []);
    assertRefused(await shop.call('GET', '/subscriptions?status=open'), 'status');
  });
});

describe('the list of subscriptions by their creation', () => {
  test('is narrowed by an instant, which includes its first, and by both ends', async () => {
    const all: Json[] = [];
    for (const _ of [1, 2, 3]) {
      all.push(await subscribed(shop));
      await advance(shop, { days: 1 });
    }
    const [first, second, third] = all as [Json, Json, Json];
    const dayOf = ({ created_at }: Json) => merchantDay(new Date(created_at));
    const cases: [string, Json[]][] = [
      [`created_from=${second.created_at}`, [third, second]],
      [`created_from=${dayOf(second)}`, [third, second]],
      [`created_to=${dayOf(second)}`, [second, first]],
      [`created_from=${dayOf(second)}&created_to=${dayOf(second)}`, [second]],
      [`created_from=${first.created_at}&created_to=${dayOf(first)}&status=active`, [first]],
      [`created_from=${dayOf(second)}&customer_id=${third.customer_id}`, [third]],
      ['created_from=2020-01-01&created_to=2020-12-31', []],
    ];
    for (const [query, expected] of cases) {
      const ids = await idsOf(`/subscriptions?${query}`);
      assert.deepEqual(
        ids,
        expected.map(({ id }) => id),
        query,
      );
    }
    const page = await shop.get(`/subscriptions?created_from=${dayOf(second)}&per_page=1`);
    assert.deepEqual(
      page.data.map(({ id }: Json) => id),
      [third.id],
    );
    const { next_cursor } = page.pagination;
    const next = `/subscriptions?created_from=${dayOf(second)}&per_page=1&cursor=${next_cursor}`;
    assert.deepEqual(await idsOf(next), [second.id]);
  });

  test('is refused for a time that does not exist', async () => {
    assertRefused(await shop.call('GET', '/subscriptions?created_from=yesterday'), 'created_from');
    assertRefused(await shop.call('GET', '/subscriptions?created_to=2026-02-30'), 'created_to');
  });
});

describe('the list of the invoices of a subscription', () => {
  test('is read page by page, newest first, also while new ones are added', async () => {
    const { id } = await subscribed(shop);
    await advance(shop, { days: 130 });
    const path = `/subscriptions/${id}/invoices`;
    const all: number[] = (await shop.get(path)).data.map(({ cycle }: Json) => cycle);
    assert.deepEqual(all, [5, 4, 3, 2, 1]);
    const first = await shop.get(`${path}?per_page=2`);
    await advance(shop, { days: 31 });
    const read: number[] = first.data.map(({ cycle }: Json) => cycle);
    let cursor = first.pagination.next_cursor;
    while (cursor !== null) {
      const page = await shop.get(`${path}?per_page=2&cursor=${cursor}`);
      read.push(...page.data.map(({ cycle }: Json) => cycle));
      cursor = page.pagination.next_cursor;
    }
    assert.deepEqual(read, all);
    assert.equal((await shop.get(`${path}?per_page=1`)).data[0].cycle, 6);
  });

  test('refuses a cursor that is not one', async () => {
    const { id } = await subscribed(shop);
    const answer = await shop.call('GET', `/subscriptions/${id}/invoices?cursor=nonsense`);
    assertRefused(answer, 'cursor');
  });
});

test('another merchant does not see a subscription, its invoices or its payments', async () => {
  const { id, code } = await subscribed(shop);
  const other = await Shop.open(service);
  for (const name of [id, code]) {
    assert.equal((await other.call('GET', `/subscriptions/${name}`)).status, 404);
    assert.equal((await other.call('GET', `/subscriptions/${name}/invoices`)).status, 404);
  }
  assert.deepEqual((await other.get('/subscriptions')).data, []);
  assert.deepEqual((await other.get(`/payments?subscription_id=${id}`)).data, []);
});

test('two merchants can use one code', async () => {
  const { code } = await subscribed(shop);
  const other = await Shop.open(service);
  assert.equal((await subscribed(other, { code })).code, code);
});
