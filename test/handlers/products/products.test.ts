import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { sharedService } from '../../support/shared-service.ts';
import { assertRefused, created, Shop, UNKNOWN_ID } from '../../support/shop.ts';

const service = await sharedService({ jobs: false });
let shop: Shop;
beforeEach(async () => {
  shop = await Shop.open(service);
});

const create = (body: object, idempotencyKey?: string) => shop.post('/products', body, idempotencyKey);
const update = (id: string, body: object) => shop.call('PUT', `/products/${id}`, { body });

describe('createProduct', () => {
  test('201 with every field, as a later read returns them', async () => {
    const product = await created(create({ name: 'Curso', description: 'Doze aulas', metadata: { a: '1' } }));
    assert.deepEqual(Object.keys(product), [
      'id',
      'name',
      'description',
      'metadata',
      'created_at',
      'updated_at',
    ]);
    assert.deepEqual(
      [product.name, product.description, product.metadata],
      ['Curso', 'Doze aulas', { a: '1' }],
    );
    assert.match(product.created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    assert.deepEqual(await shop.get(`/products/${product.id}`), product);
    assert.deepEqual(await shop.get(`/products/${product.id.toUpperCase()}`), product);
  });

  test('201 with only a name; two products can have the same name', async () => {
    const first = await created(create({ name: 'Curso' }));
    const second = await created(create({ name: 'Curso' }));
    assert.deepEqual([first.description, first.metadata], [null, {}]);
    assert.notEqual(first.id, second.id);
  });

  test('creates once under an Idempotency-Key', async () => {
    const first = await create({ name: 'Curso' }, 'p-1');
    const again = await create({ name: 'Curso' }, 'p-1');
    assert.deepEqual([again.status, again.text], [201, first.text]);
    assert.equal((await shop.get('/products')).data.length, 1);
  });

  test('422 names every invalid field', async () => {
    const metadata = { [`${'k'.repeat(41)}`]: 'v' };
    const answer = await create({ description: 'x'.repeat(2_001), price: 1, metadata });
    assertRefused(answer, 'name', 'description', 'price', 'metadata.'.concat('k'.repeat(41)));
    assertRefused(await create({ name: '' }), 'name');
    assertRefused(await create({ name: 'x'.repeat(121) }), 'name');
    assert.equal((await create({ name: 'ç'.repeat(120) })).status, 201);
  });
});

describe('updateProduct', () => {
  test('200 changes the fields that are sent, and merges metadata', async () => {
    const { id, created_at } = await created(
      create({ name: 'Curso', description: 'Doze', metadata: { a: '1', b: '2' } }),
    );
    const { status, body } = await update(id, { name: 'Clube', metadata: { a: null, c: '3' } });
    assert.equal(status, 200);
    assert.deepEqual(
      [body.name, body.description, body.metadata, body.created_at],
      ['Clube', 'Doze', { b: '2', c: '3' }, created_at],
    );
    assert.ok(body.updated_at >= created_at);
    assert.equal((await update(id, { description: null })).body.description, null);
    const unchanged = (await update(id, {})).body;
    assert.deepEqual(await shop.get(`/products/${id}`), unchanged);
  });

  test('422 when more than 50 keys would remain', async () => {
    const keys = (prefix: string, n: number) =>
      Object.fromEntries(Array.from({ length: n }, (_, i) => [`${prefix}${i}`, 'v']));
    const { id } = await created(create({ name: 'Curso', metadata: keys('a', 50) }));
    assertRefused(await update(id, { metadata: { b: 'v' } }), 'metadata');
    assert.equal((await update(id, { metadata: { a0: null, b: 'v' } })).status, 200);
  });

  test('404 for an unknown id', async () => {
    for (const id of [UNKNOWN_ID, 'curso']) {
      const { status, body } = await update(id, { name: 'Clube' });
      assert.deepEqual([status, body], [404, { message: 'Product not found.' }]);
    }
  });
});

describe('listProducts', () => {
  test('200 newest first, by name, in pages', async () => {
    const names = ['Curso', 'Clube', 'Curso'];
    for (const name of names) await created(create({ name }));
    const all = (await shop.get('/products')).data;
    assert.deepEqual(
      all.map(({ name }: { name: string }) => name),
      names.toReversed(),
    );
    assert.deepEqual((await shop.get('/products?name=Curso')).data, [all[0], all[2]]);
    assert.deepEqual((await shop.get('/products?name=curso')).data, []);
    const first = await shop.get('/products?per_page=2');
    const second = await shop.get(`/products?per_page=2&cursor=${first.pagination.next_cursor}`);
    assert.deepEqual([...first.data, ...second.data], all);
    assert.equal(second.pagination.has_more, false);
    assert.deepEqual((await shop.get(`/products?created_from=${all[0].created_at}`)).data, [all[0]]);
  });
});
