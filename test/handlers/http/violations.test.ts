import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { ErrorObject } from 'ajv';
import { violationsRefusal } from '../../../handlers/http/violations.ts';
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

  it('reports a decimal fraction once, and says that amounts are in centavos', async () => {
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

  it('reports only the maximum for a number that is too large', async () => {
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

  it('reports the object of another payment method', async () => {
    const sentence = ['This field does not belong here.'];
    const buyer = { id: '0197f6f0-0000-7000-8000-000000000000' };
    const order = (payment: object) => ({
      body: { code: 'a', mcc: '5734', customer: buyer, payment: { amount: 4990, ...payment } },
    });
    const byPix = order({ payment_method: 'pix', credit_card: buyer });
    const byCard = order({ payment_method: 'credit_card', credit_card: buyer, pix: {} });
    for (const [path, options, errors] of [
      ['/charges/orders', byPix, { 'payment.credit_card': sentence }],
      ['/charges/orders', byCard, { 'payment.pix': sentence }],
    ] as const) {
      const { status, body } = await service.call('POST', path, options);
      assert.equal(status, 422);
      assert.deepEqual(body.errors, errors);
    }
  });

  it('reports the path body if the body is missing or not an object', async () => {
    const none = await service.call('POST', '/customers', {});
    assert.equal(none.status, 422);
    assert.deepEqual(Object.keys(none.body.errors), ['body']);
    for (const text of ['[]', '"text"', '5', 'null', 'true']) {
      const { status, body } = await post(text);
      assert.equal(status, 422, text);
      assert.deepEqual(Object.keys(body.errors), ['body'], text);
    }
  });

  it('reports the path of text that cannot be stored', async () => {
    const { status, body } = await post(
      '{"name":"a\\u0000b","email":"x@example.com","metadata":{"k":"\\ud800"}}',
    );
    assert.equal(status, 422);
    assert.deepEqual(Object.keys(body.errors).sort(), ['metadata.k', 'name']);
  });

  it('treats keys with a meaning in JavaScript as unknown fields, or as keys of metadata', async () => {
    const own = await post('{"name":"Ana","email":"p@example.com","__proto__":{"admin":true}}');
    assert.equal(own.status, 422);
    assert.deepEqual(Object.keys(own.body.errors), ['__proto__']);
    const meta = await post('{"name":"Ana","email":"p@example.com","metadata":{"__proto__":"x"}}');
    assert.equal(meta.status, 201);
    assert.match(meta.text, /"metadata":\{"__proto__":"x"\}/);
    assert.equal(({} as { admin?: boolean }).admin, undefined);
  });

  it('reports query parameters that are unknown, repeated or out of bounds', async () => {
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

/** So many violations are listed at most (contract row 1.9). */
const MOST_LISTED = 100;

describe('a request with hundreds of violations', () => {
  const fields = (count: number, name = 'f') =>
    Array.from({ length: count }, (_, i) => `"${name}${i}":1`).join(',');
  const long = 'x'.repeat(75);
  const order = '"code":"a","mcc":"5734","payment":{"amount":1,"payment_method":"pix"}';
  const CROWDED: [what: string, method: string, path: string, body?: string][] = [
    ['unknown fields', 'POST', '/customers', `{${fields(2_990)}}`],
    ['unknown fields with long names', 'POST', '/customers', `{${fields(2_990, long)}}`],
    ['keys of metadata', 'POST', '/customers', `{"metadata":{${fields(2_990, long)}}}`],
    ['unknown fields in a list', 'POST', '/charges/orders', `{"items":[{${fields(2_900)}}]}`],
    ['empty items', 'POST', '/charges/orders', `{${order},"items":[${Array(100).fill('{}').join(',')}]}`],
    ['texts that cannot be stored', 'POST', '/customers', `{${fields(900).replaceAll(':1', ':"\\u0000"')}}`],
    ['fields where no body belongs', 'POST', '/payments/a/cancel', `{${fields(2_990)}}`],
    ['unknown parameters', 'GET', `/customers?${Array.from({ length: 900 }, (_, i) => `p${i}=1`).join('&')}`],
  ];
  for (const [what, method, path, rawBody] of CROWDED) {
    it(`lists 100 of them: ${what}`, async () => {
      const { status, body, text } = await service.call(
        method,
        path,
        rawBody === undefined ? {} : { rawBody },
      );
      assert.equal(status, 422, text);
      const listed = Object.values<string[]>(body.errors).flat();
      assert.ok(listed.length > 0 && listed.length <= MOST_LISTED, `${listed.length} are listed`);
      assert.ok(text.length < 20_000, `the answer has ${text.length} characters`);
    });
  }

  it('gets an answer that is shorter than the request, however deeply the names are nested', async () => {
    const name = 'n'.repeat(90);
    const bad = `{${fields(900).replaceAll(':1', ':"\\u0000"')}}`;
    const rawBody = `${`{"${name}":`.repeat(30)}${bad}${'}'.repeat(30)}`;
    const { status, text } = await service.call('POST', '/customers', { rawBody });
    assert.equal(status, 422);
    assert.ok(text.length < 40_000, `the answer has ${text.length} characters`);
  });

  it('costs no time for violations that are not listed', () => {
    let looks = 0;
    const error = (name: string) =>
      ({
        keyword: 'additionalProperties',
        get instancePath() {
          looks += 1;
          return '/requestBody';
        },
        schemaPath: '',
        params: { additionalProperty: name },
      }) as ErrorObject;
    for (const nameOf of [(i: number) => `f${i}`, (i: number) => `${long}${i}`]) {
      looks = 0;
      const { fields } = violationsRefusal(Array.from({ length: 9_000 }, (_, i) => error(nameOf(i))));
      assert.ok(Object.keys(fields!).length <= MOST_LISTED);
      assert.ok(looks < 1_000, `looked at ${looks}`);
    }
  });
});

describe('the name of an unknown field', () => {
  const namesFor = async (name: string): Promise<string[]> => {
    const body = { name: 'Ana', email: 'ana@example.com', [name]: 1 };
    const answer = await service.call('POST', '/customers', { body });
    assert.equal(answer.status, 422, answer.text);
    return Object.keys(answer.body.errors);
  };

  it('is cut to 64 characters', async () => {
    assert.deepEqual(await namesFor('x'.repeat(64)), ['x'.repeat(64)]);
    assert.deepEqual(await namesFor('x'.repeat(65)), ['x'.repeat(64)]);
    assert.deepEqual(await namesFor('x'.repeat(200_000)), ['x'.repeat(64)]);
    const [cut] = await namesFor('💸'.repeat(100));
    assert.ok(cut!.isWellFormed() && cut!.length <= 64);
    const [odd] = await namesFor(`a${'💸'.repeat(100)}`);
    assert.ok(odd!.isWellFormed() && odd!.length <= 64);
  });

  for (const name of [
    '4242424242424242',
    '4242 4242 4242 4242',
    '4242-4242-4242-4242',
    '378282246310005',
    'card 4242.4242.4242.4242 of Ana',
    '４２４２４２４２４２４２４２４２',
    '٤٢٤٢٤٢٤٢٤٢٤٢٤٢٤٢',
    `${'x'.repeat(60)}4242424242424242`,
    '5067766783888311000',
  ]) {
    it(`is hidden if it looks like a card number: ${name.slice(-20)}`, async () => {
      assert.deepEqual(await namesFor(name), ['[hidden]']);
    });
  }

  it('is hidden in objects, in metadata, in the query, in text that cannot be stored and in an unexpected body', async () => {
    const number = '4242424242424242';
    const nested = await post(`{"phone":{"${number}":1}}`);
    const metadata = await post(`{"metadata":{"${number}":1, "${number.repeat(4)}": "x"}}`);
    const unstorable = await post(`{"${number}":"\\u0000","metadata":{"${number}":"\\u0000"}}`);
    const query = await service.call('GET', `/customers?${number}=1`);
    const none = await service.call('POST', '/payments/a/cancel', { rawBody: `{"${number}":1}` });
    for (const { status, text } of [nested, metadata, unstorable, query, none]) {
      assert.equal(status, 422, text);
      assert.ok(text.includes('[hidden]'), text);
      assert.ok(!text.includes('4242'), text);
    }
  });

  for (const name of [
    'a',
    '__proto__',
    'constructor',
    'toString',
    'ünïcödé',
    'a.b',
    'order_2026_11_21',
    '0',
  ]) {
    it(`is reported otherwise: ${name}`, async () => {
      const answer = await post(`{"name":"Ana","email":"ana@example.com",${JSON.stringify(name)}:1}`);
      assert.equal(answer.status, 422, answer.text);
      assert.deepEqual(Object.keys(answer.body.errors), [name]);
    });
  }
});
