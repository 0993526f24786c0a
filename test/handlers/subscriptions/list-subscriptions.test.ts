import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { assertRefused, Shop, UNKNOWN_ID } from '../../support/shop.ts';
import { NO_FUNDS, newOffer, subscribed } from '../../support/subscription-calls.ts';

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
