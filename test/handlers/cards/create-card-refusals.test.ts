import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newCustomer, postCard } from '../../support/cards/card-calls.ts';
import { AMEX, cardDocument, encryptCard, encryptJwe, VISA } from '../../support/cards/cards.ts';
import { startTestService, type TestService } from '../../support/service.ts';

let service: TestService;
let customerId: string;
let now = new Date('2026-11-21T17:21:30.000Z');

before(async () => {
  service = await startTestService({ jobs: false, overrides: { wall: () => now } });
  customerId = await newCustomer(service);
});
after(() => service.stop());

describe('400', () => {
  const refusal = {
    error: { code: 'invalid_encrypted_card', message: 'The encrypted card data could not be read.' },
  };

  test('is the same for every unreadable card', async () => {
    const other = await service.newMerchant();
    const encryptedTexts = [
      'x',
      ' ',
      '4242424242424242',
      cardDocument(VISA),
      encryptCard(VISA, other.encryptionKey),
      encryptCard(VISA, service.merchant.encryptionKey).slice(0, -24),
      encryptCard({ ...VISA, holder: 'X'.repeat(200_000) }, service.merchant.encryptionKey).slice(0, 200_000),
      await encryptJwe(
        cardDocument(VISA),
        (await service.call('GET', '/cards/encryption-key', { key: other.apiKey })).body.jwk,
      ),
      await encryptJwe('no JSON', (await service.call('GET', '/cards/encryption-key')).body.jwk),
      'U2FsdGVkX18xMjM0NTY3OJvC8lEiXlOZQzKmCVkNf2g=',
    ];
    for (const encrypted of encryptedTexts) {
      const answer = await service.call('POST', '/cards', { body: { customer_id: customerId, encrypted } });
      assert.equal(answer.status, 400, encrypted.slice(0, 40));
      assert.deepEqual(answer.body, refusal, encrypted.slice(0, 40));
    }
  });

  test('comes before the look-up of the customer', async () => {
    const body = { customer_id: '01a1ff1f-49b8-74d4-b96f-58da6d4a8512', encrypted: 'AAAA' };
    assert.equal((await service.call('POST', '/cards', { body })).status, 400);
  });
});

describe('403', () => {
  test('a key without permission to write cards', async () => {
    const { apiKey } = await service.newKey(service.merchant, ['cards:read', 'customers:write']);
    const { status, body } = await postCard(service, customerId, VISA, { key: apiKey });
    assert.equal(status, 403);
    assert.equal(body.error.code, 'forbidden');
  });
});

describe('404', () => {
  test('is the same for an unknown customer and one of another merchant', async () => {
    const theirs = await newCustomer(service, await service.newMerchant());
    for (const id of [theirs, '01a1ff1f-49b8-74d4-b96f-58da6d4a8512']) {
      const { status, body } = await postCard(service, id, VISA);
      assert.equal(status, 404);
      assert.deepEqual(body, {
        error: { code: 'customer_not_found', message: 'The customer was not found.' },
      });
    }
  });
});

describe('422', () => {
  test('every field of the body that the contract does not allow', async () => {
    for (const encrypted of [undefined, '', 7, null, {}, []]) {
      const { status, body } = await service.call('POST', '/cards', {
        body: { customer_id: 'urn:uuid:01a1ff1f-49b8-74d4-b96f-58da6d4a8512', encrypted },
      });
      assert.equal(status, 422);
      assert.equal(body.error.code, 'validation_error');
      assert.deepEqual(Object.keys(body.error.details).sort(), ['customer_id', 'encrypted']);
    }
  });

  const wrong: [string, object, string[]][] = [
    ['a wrong check digit', { number: '4242424242424241' }, ['number']],
    ['no known brand', { number: '6759649826438453' }, ['number']],
    ['a length that the brand has not', { number: '42424242424242' }, ['number']],
    ['a number with blanks', { number: '4242 4242 4242 4242' }, ['number']],
    ['no number', { number: undefined }, ['number']],
    ['no holder', { holder: '  ' }, ['holder']],
    ['a holder with a control character', { holder: 'ANA\0' }, ['holder']],
    ['a holder of half a surrogate pair', { holder: 'ANA\ud800' }, ['holder']],
    ['a month past', { expMonth: '10', expYear: '26' }, ['expMonth']],
    ['a year past', { expYear: '25' }, ['expYear']],
    ['a month that is none', { expMonth: '13' }, ['expMonth']],
    ['four digits of code', { securityCode: '1234' }, ['securityCode']],
    ['no code', { securityCode: '' }, ['securityCode']],
    ['three digits of code on amex', { ...AMEX, securityCode: '123' }, ['securityCode']],
    [
      'everything',
      { number: '4242', holder: '', expMonth: '', expYear: '', securityCode: 'abc' },
      ['number', 'holder', 'expMonth', 'expYear', 'securityCode'],
    ],
  ];
  for (const [what, change, fields] of wrong) {
    test(`a card with ${what}, never repeating a value`, async () => {
      const { status, body, text } = await postCard(service, customerId, { ...VISA, ...change });
      assert.equal(status, 422);
      assert.equal(body.error.code, 'validation_error');
      assert.deepEqual(
        Object.keys(body.error.details),
        fields.map((field) => `encrypted.${field}`),
      );
      for (const value of ['4242', 'ANA', 'abc']) assert.ok(!text.includes(value), text);
    });
  }

  test('the validation of the card comes before the look-up of the customer', async () => {
    const answer = await postCard(service, '01a1ff1f-49b8-74d4-b96f-58da6d4a8512', {
      ...VISA,
      expYear: '25',
    });
    assert.equal(answer.status, 422);
  });
});

describe('429', () => {
  test('after 60 failures of one key in a minute, of any kind, until they are a minute old', async () => {
    const { apiKey: key } = await service.newKey(service.merchant);
    const fail = () =>
      service.call('POST', '/cards', { key, body: { customer_id: customerId, encrypted: 'AA.' } });
    now = new Date('2026-11-21T18:00:30.000Z');
    const burst = await Promise.all(Array.from({ length: 40 }, fail));
    now = new Date('2026-11-21T18:01:20.000Z');
    const rest = await Promise.all(Array.from({ length: 25 }, fail));

    const statuses = [...burst, ...rest].map(({ status }) => status);
    assert.equal(statuses.filter((status) => status === 400).length, 60);
    const refused = rest.find(({ status }) => status === 429)!;
    assert.equal(refused.body.error.code, 'rate_limited');
    assert.equal(refused.headers.get('retry-after'), '60');

    // What is right is refused too, or the limit would not stop the trying; another key is not.
    assert.equal((await postCard(service, customerId, VISA, { key })).status, 429);
    assert.equal((await postCard(service, customerId, VISA)).status, 201);
    now = new Date('2026-11-21T18:01:31.000Z');
    assert.equal((await postCard(service, customerId, VISA, { key })).status, 201);
  });

  test('is not stored under an Idempotency-Key', async () => {
    const { apiKey: key } = await service.newKey(service.merchant);
    now = new Date('2026-11-21T18:10:00.000Z');
    const fail = () =>
      service.call('POST', '/cards', { key, body: { customer_id: customerId, encrypted: 'AA.' } });
    await Promise.all(Array.from({ length: 61 }, fail));
    const idempotencyKey = 'refused for too many failures';
    assert.equal((await postCard(service, customerId, VISA, { key, idempotencyKey })).status, 429);
    now = new Date('2026-11-21T18:11:01.000Z');
    assert.equal((await postCard(service, customerId, VISA, { key, idempotencyKey })).status, 201);
  });
});
