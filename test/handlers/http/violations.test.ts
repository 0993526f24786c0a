import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startTestService, type TestService } from '../../support/service.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

const post = (rawBody: string) => service.call('POST', '/customers', { rawBody });

describe('422', () => {
  it('reports every violation under its dotted path', async () => {
    const { status, body } = await service.call('POST', '/customers', {
      body: {
        name: '',
        email: 'nobody',
        documents: [{ type: 'cpf', value: '11111111111' }, { type: 'rg' }],
        addresses: [{ type: 'billing', state: 'SPX' }],
        extra: 1,
        metadata: { key: 5 },
      },
    });
    assert.equal(status, 422);
    const paths = Object.keys(body.errors);
    for (const path of [
      'name',
      'email',
      'documents.0.value',
      'documents.1.type',
      'documents.1.value',
      'addresses.0.state',
      'addresses.0.line_1',
      'extra',
      'metadata.key',
    ]) {
      assert.ok(paths.includes(path), `${path} is missing in ${paths}`);
    }
    for (const texts of Object.values<string[]>(body.errors)) {
      for (const text of texts) assert.match(text, /^[A-Z].*\.$/);
    }
  });

  it('tells of a fraction of a number once, and that amounts are in centavos', async () => {
    const order = { code: 'a', mcc: '5734', customer: { id: '0197f6f0-0000-7000-8000-000000000000' } };
    const items = [{ name: 'Caneca', quantity: 1.5, amount: 49.9 }];
    const payment = { amount: 49.9, payment_method: 'pix' };
    const { status, body } = await service.call('POST', '/charges/orders', {
      body: { ...order, items, payment },
    });
    assert.equal(status, 422);
    assert.deepEqual(body.errors, {
      'items.0.quantity': ['Must be an integer.'],
      'items.0.amount': ['Must be an integer, in centavos.'],
      'payment.amount': ['Must be an integer, in centavos.'],
    });
  });

  it('tells of a number that is too large by its bound alone', async () => {
    const order = { code: 'a', mcc: '5734', customer: { id: '0197f6f0-0000-7000-8000-000000000000' } };
    const items = [{ name: 'Caneca', quantity: 3e9, amount: 1e20 }];
    const { status, body } = await service.call('POST', '/charges/orders', {
      body: { ...order, items, payment: { amount: 4990, payment_method: 'pix' } },
    });
    assert.equal(status, 422);
    assert.deepEqual(body.errors, {
      'items.0.quantity': ['Must be at most 100000.'],
      'items.0.amount': ['Must be at most 9999999999.'],
    });
  });

  it('names the body where there is none, and where it is no object', async () => {
    const none = await service.call('POST', '/customers', {});
    assert.equal(none.status, 422);
    assert.deepEqual(Object.keys(none.body.errors), ['body']);
    for (const text of ['[]', '"text"', '5', 'null', 'true']) {
      const { status, body } = await post(text);
      assert.equal(status, 422, text);
      assert.deepEqual(Object.keys(body.errors), ['body'], text);
    }
  });

  it('refuses text that cannot be stored, by its path', async () => {
    const { status, body } = await post(
      '{"name":"a\\u0000b","email":"x@example.com","metadata":{"k":"\\ud800"}}',
    );
    assert.equal(status, 422);
    assert.deepEqual(Object.keys(body.errors).sort(), ['metadata.k', 'name']);
  });

  it('takes a key that means something to JavaScript for a key: an unknown field, or one of metadata', async () => {
    const own = await post('{"name":"Ana","email":"p@example.com","__proto__":{"admin":true}}');
    assert.equal(own.status, 422);
    assert.deepEqual(Object.keys(own.body.errors), ['__proto__']);
    const meta = await post('{"name":"Ana","email":"p@example.com","metadata":{"__proto__":"x"}}');
    assert.equal(meta.status, 201);
    assert.match(meta.text, /"metadata":\{"__proto__":"x"\}/);
    assert.equal(({} as { admin?: boolean }).admin, undefined);
  });

  it('refuses query parameters that are unknown, doubled or out of bounds', async () => {
    for (const [query, path] of [
      ['per_page=0', 'per_page'],
      ['per_page=101', 'per_page'],
      ['per_page=ten', 'per_page'],
      ['per_page=1e3', 'per_page'],
      ['per_page=5&per_page=6', 'per_page'],
      ['colour=red', 'colour'],
      ['cursor=nonsense', 'cursor'],
      ['created_from=2024-02-30', 'created_from'],
    ] as const) {
      const { status, body } = await service.call('GET', `/customers?${query}`);
      assert.equal(status, 422, query);
      assert.ok(path in body.errors, `${query}: ${JSON.stringify(body.errors)}`);
    }
  });
});
