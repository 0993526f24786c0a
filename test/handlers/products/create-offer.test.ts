import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { oneTimeOffer, recurringOffer } from '../../support/pages/offer-bodies.ts';
import { startTestService } from '../../support/service.ts';
import { sharedService } from '../../support/shared-service.ts';
import { assertRefused, created, Shop, UNKNOWN_ID } from '../../support/shop.ts';

const service = await sharedService({ jobs: false });
let shop: Shop;
let productId: string;
before(async () => {
  shop = await Shop.open(service);
  productId = (await created(shop.post('/products', { name: 'Curso' }))).id;
});

const create = (body: object, idempotencyKey?: string) =>
  shop.post(`/products/${productId}/offers`, body, idempotencyKey);
const band = (start: number, end?: number | null, amount = 1_000) => ({ start, end, amount });

describe('201', () => {
  test('an offer that is paid once', async () => {
    const offer = await created(create(oneTimeOffer()));
    const { id, hash, created_at, updated_at, ...rest } = offer;
    assert.deepEqual(rest, {
      product_id: productId,
      type: 'one_time',
      name: 'À vista',
      is_active: true,
      amount: 49_900,
      currency: 'BRL',
      interval: null,
      trial_days: 0,
      cycles: [],
      checkout_url: `${service.url}/c/${hash}`,
    });
    assert.match(hash, /^[a-z2-7]{16,}$/);
    assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    assert.equal(updated_at, created_at);
    assert.deepEqual(await shop.get(`/product-offers/${id.toUpperCase()}`), offer);
  });

  test('a recurring offer, whose amount is that of the last band', async () => {
    const offer = await created(create(recurringOffer()));
    assert.deepEqual(
      [offer.amount, offer.interval, offer.trial_days, offer.cycles, offer.checkout_url],
      [4_990, 'monthly', 7, recurringOffer().cycles, `${service.url}/s/${offer.hash}`],
    );
    assert.deepEqual(await shop.get(`/product-offers/${offer.id}`), offer);
  });

  test('a band can have no end, and the default is no trial', async () => {
    const offer = await created(create(recurringOffer({ trial_days: undefined, cycles: [band(1)] })));
    assert.deepEqual([offer.trial_days, offer.cycles], [0, [{ start: 1, end: null, amount: 1_000 }]]);
  });

  test('every interval, and a price of zero', async () => {
    for (const interval of ['monthly', 'quarterly', 'half-yearly', 'yearly']) {
      const offer = await created(create(recurringOffer({ interval, cycles: [band(1, 12, 0)] })));
      assert.deepEqual([offer.interval, offer.amount], [interval, 0]);
    }
  });

  test('creates once under an Idempotency-Key', async () => {
    const first = await create(oneTimeOffer(), 'o-1');
    const again = await create(oneTimeOffer(), 'o-1');
    assert.deepEqual([again.status, again.text], [201, first.text]);
    assert.equal(again.headers.get('idempotency-replayed'), 'true');
  });

  test('the checkout link begins with the address that the operator has set', async () => {
    const env = { CHECKOUT_BASE_URL: 'https://pay.example.com/' };
    await using other = await startTestService({ jobs: false, env });
    const product = await other.call('POST', '/products', { body: { name: 'Curso' } });
    const path = `/products/${product.body.id}/offers`;
    const { body } = await other.call('POST', path, { body: oneTimeOffer() });
    assert.equal(body.checkout_url, `https://pay.example.com/c/${body.hash}`);
  });
});

describe('404', () => {
  test('for a product that does not exist, also with an invalid price ladder', async () => {
    for (const id of [UNKNOWN_ID, 'curso']) {
      const { status, body } = await shop.post(
        `/products/${id}/offers`,
        recurringOffer({ cycles: [band(2)] }),
      );
      assert.deepEqual([status, body], [404, { message: 'Product not found.' }]);
    }
  });
});

describe('422', () => {
  const refused: [string, object, string[]][] = [
    ['nothing', {}, ['type', 'name']],
    ['an unknown type', oneTimeOffer({ type: 'weekly' }), ['type']],
    ['no amount', oneTimeOffer({ amount: undefined }), ['amount']],
    ['an amount below 100', oneTimeOffer({ amount: 99 }), ['amount']],
    ['an amount that is no integer', oneTimeOffer({ amount: 100.5 }), ['amount']],
    ['a long name', oneTimeOffer({ name: 'x'.repeat(81) }), ['name']],
    ['an unknown field', oneTimeOffer({ currency: 'BRL' }), ['currency']],
    [
      'what belongs to a recurring offer',
      oneTimeOffer({ interval: 'monthly', trial_days: 7, cycles: [band(1)] }),
      ['interval', 'trial_days', 'cycles'],
    ],
    ['an amount of a recurring offer', recurringOffer({ amount: 1_000 }), ['amount']],
    [
      'no interval, no ladder',
      recurringOffer({ interval: undefined, cycles: undefined }),
      ['interval', 'cycles'],
    ],
    ['a weekly interval', recurringOffer({ interval: 'weekly' }), ['interval']],
    ['a trial of 0 days', recurringOffer({ trial_days: 0 }), ['trial_days']],
    ['a trial of 366 days', recurringOffer({ trial_days: 366 }), ['trial_days']],
    ['an empty ladder', recurringOffer({ cycles: [] }), ['cycles']],
    [
      '51 bands',
      recurringOffer({ cycles: Array.from({ length: 51 }, (_, i) => band(i + 1, i + 1)) }),
      ['cycles'],
    ],
    ['a first band that starts at 2', recurringOffer({ cycles: [band(2, null)] }), ['cycles.0.start']],
    ['a first band that starts at 0', recurringOffer({ cycles: [band(0, null)] }), ['cycles.0.start']],
    ['a gap', recurringOffer({ cycles: [band(1, 3), band(5)] }), ['cycles.1.start']],
    ['an overlap', recurringOffer({ cycles: [band(1, 3), band(3)] }), ['cycles.1.start']],
    ['a reversed band', recurringOffer({ cycles: [band(1, 3), band(4, 2)] }), ['cycles.1.end']],
    ['an open band that is not the last', recurringOffer({ cycles: [band(1), band(2)] }), ['cycles']],
    ['a price below 0', recurringOffer({ cycles: [band(1, null, -1)] }), ['cycles.0.amount']],
    [
      'a band without start and amount',
      recurringOffer({ cycles: [{}] }),
      ['cycles.0.start', 'cycles.0.amount'],
    ],
    [
      'all that is wrong with a ladder at once',
      recurringOffer({ cycles: [band(2, 1), band(3, 5), band(7, 6)] }),
      ['cycles.0.start', 'cycles.0.end', 'cycles.2.start', 'cycles.2.end'],
    ],
  ];
  for (const [what, body, paths] of refused) {
    test(`${what}: ${paths.join(', ')}`, async () => assertRefused(await create(body), ...paths));
  }
});
