import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { oneTimeOffer, recurringOffer } from '../../support/pages/offer-bodies.ts';
import type { Json } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { assertRefused, created, Shop, UNKNOWN_ID } from '../../support/shop.ts';

const service = await sharedService({ jobs: false });
let shop: Shop;
before(async () => {
  shop = await Shop.open(service);
});

const newProduct = async (): Promise<string> => (await created(shop.post('/products', { name: 'Curso' }))).id;
const newOffer = async (body: object, productId?: string): Promise<Json> =>
  created(shop.post(`/products/${productId ?? (await newProduct())}/offers`, body));
const update = (id: string, body: object) => shop.call('PUT', `/product-offers/${id}`, { body });
const move = (id: string, to: 'archive' | 'restore') => shop.post(`/product-offers/${id}/${to}`);

describe('updateOffer', () => {
  test('200 changes the fields that are sent, of an offer that is paid once', async () => {
    const offer = await newOffer(oneTimeOffer());
    const { status, body } = await update(offer.id, { name: 'Promoção', amount: 39_900 });
    assert.equal(status, 200);
    const { updated_at } = body;
    assert.deepEqual(body, { ...offer, name: 'Promoção', amount: 39_900, updated_at });
    assert.deepEqual(await shop.get(`/product-offers/${offer.id}`), body);
  });

  test('200 replaces the price ladder of a recurring offer, and its amount changes with it', async () => {
    const offer = await newOffer(recurringOffer());
    const cycles = [{ start: 1, end: 12, amount: 3_990 }];
    const { status, body } = await update(offer.id, { cycles, interval: 'yearly', trial_days: 30 });
    assert.equal(status, 200);
    const { updated_at } = body;
    assert.deepEqual(body, {
      ...offer,
      cycles,
      interval: 'yearly',
      trial_days: 30,
      amount: 3_990,
      updated_at,
    });
  });

  test('200 without fields changes nothing', async () => {
    const offer = await newOffer(recurringOffer());
    const { body } = await update(offer.id, {});
    assert.deepEqual({ ...body, updated_at: offer.updated_at }, offer);
  });

  const refused: [string, object, object, string[]][] = [
    ['the type', oneTimeOffer(), { type: 'one_time' }, ['type']],
    ['an amount of a recurring offer', recurringOffer(), { amount: 100 }, ['amount']],
    [
      'fields of a recurring offer on one that is paid once',
      oneTimeOffer(),
      { interval: 'monthly', trial_days: 1, cycles: [{ start: 1, amount: 1 }] },
      ['interval', 'trial_days', 'cycles'],
    ],
    [
      'a wrong ladder, all that is wrong with it',
      recurringOffer(),
      {
        cycles: [
          { start: 1, end: 3, amount: 1 },
          { start: 5, end: 4, amount: 1 },
        ],
      },
      ['cycles.1.start', 'cycles.1.end'],
    ],
    ['an empty ladder', recurringOffer(), { cycles: [] }, ['cycles']],
    ['bounds', oneTimeOffer(), { name: 'x'.repeat(81), amount: 99 }, ['name', 'amount']],
    ['a trial of 0 days', recurringOffer(), { trial_days: 0 }, ['trial_days']],
  ];
  for (const [what, offer, changes, paths] of refused) {
    test(`422 ${what}`, async () => {
      const stored = await newOffer(offer);
      assertRefused(await update(stored.id, changes), ...paths);
      assert.deepEqual(await shop.get(`/product-offers/${stored.id}`), stored);
    });
  }

  test('404', async () => {
    for (const id of [UNKNOWN_ID, 'mensal']) {
      const { status, body } = await update(id, { name: 'Outra' });
      assert.deepEqual([status, body], [404, { message: 'Offer not found.' }]);
    }
  });
});

describe('archiveOffer and restoreOffer', () => {
  test('200 archive and restore one offer, and do not change the others of the product', async () => {
    const productId = await newProduct();
    const [offer, sibling] = [
      await newOffer(recurringOffer(), productId),
      await newOffer(oneTimeOffer(), productId),
    ];
    const archived = await move(offer.id, 'archive');
    assert.equal(archived.status, 200);
    const { updated_at } = archived.body;
    assert.deepEqual(archived.body, { ...offer, is_active: false, updated_at });
    assert.deepEqual(await shop.get(`/product-offers/${offer.id}`), archived.body);
    assert.deepEqual(await shop.get(`/product-offers/${sibling.id}`), sibling);
    const restored = (await move(offer.id, 'restore')).body;
    assert.deepEqual({ ...restored, updated_at: offer.updated_at }, offer);
  });

  test('200 again, and nothing changes', async () => {
    const offer = await newOffer(oneTimeOffer());
    assert.deepEqual((await move(offer.id, 'restore')).body, offer);
    const archived = (await move(offer.id, 'archive')).body;
    const again = await move(offer.id, 'archive');
    assert.deepEqual([again.status, again.body], [200, archived]);
  });

  test('an archived offer can be edited, and stays archived', async () => {
    const offer = await newOffer(oneTimeOffer());
    await move(offer.id, 'archive');
    const { status, body } = await update(offer.id, { amount: 100 });
    assert.deepEqual([status, body.amount, body.is_active], [200, 100, false]);
  });

  test('404', async () => {
    for (const to of ['archive', 'restore'] as const) {
      const { status, body } = await move(UNKNOWN_ID, to);
      assert.deepEqual([status, body], [404, { message: 'Offer not found.' }]);
    }
  });
});

describe('listOffers', () => {
  test('200 the offers of one product, newest first, by type and by state', async () => {
    const productId = await newProduct();
    await newOffer(oneTimeOffer());
    const offers = [
      await newOffer(oneTimeOffer(), productId),
      await newOffer(recurringOffer(), productId),
      await newOffer(recurringOffer(), productId),
    ].reverse();
    offers[0] = (await move(offers[0].id, 'archive')).body;
    const list = async (query = '') => (await shop.get(`/products/${productId}/offers${query}`)).data;
    assert.deepEqual(await list(), offers);
    assert.deepEqual(await list('?type=recurring'), offers.slice(0, 2));
    assert.deepEqual(await list('?is_active=true'), offers.slice(1));
    assert.deepEqual(await list('?is_active=false'), offers.slice(0, 1));
    assert.deepEqual(await list('?type=one_time&is_active=false'), []);
    const first = await shop.get(`/products/${productId}/offers?per_page=1`);
    assert.deepEqual(await list(`?per_page=2&cursor=${first.pagination.next_cursor}`), offers.slice(1));
  });

  test('422 for an unknown state, 404 for a product that does not exist', async () => {
    const path = (id: string) => `/products/${id}/offers?is_active=maybe`;
    assertRefused(await shop.call('GET', path(await newProduct())), 'is_active');
    const { status, body } = await shop.call('GET', `/products/${UNKNOWN_ID}/offers`);
    assert.deepEqual([status, body], [404, { message: 'Product not found.' }]);
  });
});
