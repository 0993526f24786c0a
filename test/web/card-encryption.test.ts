import assert from 'node:assert/strict';
import { createHash, generateKeyPairSync } from 'node:crypto';
import { afterEach, beforeEach, describe, mock, test } from 'node:test';
import { compactDecrypt } from 'jose';
import { openEncryptedCard } from '../../services/cards/encrypted-card.ts';
import { encryptAes } from '../../web/card-encryption/aes.ts';
import {
  type Card,
  CardError,
  EncryptionSetupError,
  encryptCard,
  validateCard,
} from '../../web/card-encryption/index.ts';
import { md5Hex } from '../../web/card-encryption/md5.ts';
import { decryptAes } from '../support/cards/cards.ts';
import vector from '../vectors/card-encryption.json' with { type: 'json' };

const CARD: Card = {
  number: '4242424242424242',
  holder: 'ANA SOUZA',
  expMonth: '08',
  expYear: '39',
  securityCode: '123',
};
const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const JWK = { ...publicKey.export({ format: 'jwk' }), kid: 'key-1' } as { kty: string; n: string; e: string };
const KEYS = {
  encryptionKey: vector.secret,
  privateKey: privateKey.export({ type: 'pkcs8', format: 'der' }),
};

/** The plain text of an encrypted card of either form. */
async function documentOf(encrypted: string): Promise<Record<string, unknown>> {
  if (encrypted.includes('.')) {
    const { plaintext } = await compactDecrypt(encrypted, privateKey);
    return JSON.parse(Buffer.from(plaintext).toString());
  }
  return JSON.parse(decryptAes(encrypted, vector.secret));
}

beforeEach(() => mock.timers.enable({ apis: ['Date'], now: new Date('2026-11-21T12:00:00Z') }));
afterEach(() => mock.timers.reset());

describe('md5', () => {
  test('equals that of Node, at every length around the ends of blocks', () => {
    for (let length = 0; length <= 130; length += 1) {
      const bytes = Buffer.alloc(length, `${length}é`);
      assert.equal(md5Hex(bytes), createHash('md5').update(bytes).digest('hex'), `${length} bytes`);
    }
  });
});

describe('the AES form', () => {
  test('encrypts the plaintext of the test vector to its ciphertext', async () => {
    assert.equal(md5Hex(Buffer.from(vector.secret)).slice(0, 16), vector.iv);
    assert.equal(await encryptAes(vector.plaintext, vector.secret), vector.encrypted);
  });

  test('encrypts the card of the test vector to its ciphertext', async () => {
    const card = JSON.parse(vector.plaintext).cardData;
    assert.equal(await encryptCard(card, vector.secret), vector.encrypted);
  });

  test('is decrypted by the service with every padding length', async () => {
    for (let length = 1; length <= 16; length += 1) {
      const card = { ...CARD, holder: 'JOSÉ'.padEnd(10 + length, 'X') };
      assert.deepEqual(await openEncryptedCard(await encryptCard(card, vector.secret), KEYS), card);
    }
  });
});

describe('the JWE form', () => {
  test('is decrypted by the service, with the JWK or the whole answer as the key', async () => {
    for (const key of [JWK, { kid: 'key-1', alg: 'RSA-OAEP-256', enc: 'A256GCM', jwk: JWK }]) {
      const encrypted = await encryptCard(CARD, key);
      assert.deepEqual(await openEncryptedCard(encrypted, KEYS), CARD);
      const header = JSON.parse(Buffer.from(encrypted.split('.')[0]!, 'base64url').toString());
      assert.deepEqual(header, { alg: 'RSA-OAEP-256', enc: 'A256GCM', kid: 'key-1' });
    }
  });

  test('never returns the same text twice', async () => {
    assert.notEqual(await encryptCard(CARD, JWK), await encryptCard(CARD, JWK));
  });
});

test('input of a buyer is converted to the format of the API', async () => {
  const typed = { ...CARD, number: '4242 4242-4242 4242', holder: ' ANA SOUZA ', expMonth: 8, expYear: 2039 };
  assert.deepEqual(await openEncryptedCard(await encryptCard(typed, JWK), KEYS), CARD);
});

describe('the brand and the card holder', () => {
  const cardHolder = { name: 'Ana Souza', identification: { type: 'CPF', number: '52998224725' } };

  test('are in the encrypted document, and the service accepts the card with them', async () => {
    const card: Card = { ...CARD, brand: 'visa', cardHolder };
    const expected = { cardData: { ...CARD, brand: 'visa' }, cardHolder };
    assert.deepEqual(await documentOf(await encryptCard(card, JWK)), expected);
    assert.deepEqual(await documentOf(await encryptCard(card, vector.secret)), expected);
    assert.deepEqual(await openEncryptedCard(await encryptCard(card, JWK), KEYS), CARD);
  });

  test('are omitted if they are not given', async () => {
    for (const card of [CARD, { ...CARD, brand: undefined, cardHolder: undefined }, { ...CARD, brand: ' ' }])
      assert.deepEqual(await documentOf(await encryptCard(card as Card, JWK)), { cardData: CARD });
  });

  test('are in the format of the API, without unknown fields', async () => {
    const typed = {
      name: ' Ana Souza ',
      age: 7,
      identification: { type: 'CPF', number: 52998224725, issuer: 'SSP' },
    };
    const { cardHolder: passedOn } = await documentOf(
      await encryptCard({ ...CARD, cardHolder: typed as never }, JWK),
    );
    assert.deepEqual(passedOn, cardHolder);
    const { cardHolder: nameOnly } = await documentOf(
      await encryptCard({ ...CARD, cardHolder: { name: 'Ana' } }, JWK),
    );
    assert.deepEqual(nameOnly, { name: 'Ana' });
  });

  test('a card holder that is not an object, such as a form field of that name, is omitted', async () => {
    for (const wrong of ['Ana Souza', 7, null, [], {}])
      assert.deepEqual(await documentOf(await encryptCard({ ...CARD, cardHolder: wrong as never }, JWK)), {
        cardData: CARD,
      });
  });
});

describe('an invalid card is not encrypted', () => {
  const wrong: [string, Partial<Record<keyof Card, unknown>>, string[]][] = [
    ['no number', { number: '' }, ['number required']],
    ['letters in the number', { number: '4242x' }, ['number invalid']],
    ['a wrong check digit', { number: '4242424242424241' }, ['number check_digit']],
    ['a number too short', { number: '42424242424' }, ['number length']],
    ['a number too long', { number: '42424242424242424242' }, ['number length']],
    ['an Amex of 16 digits', { number: '3782822463100050', securityCode: '1234' }, ['number length']],
    ['no holder', { holder: '  ' }, ['holder required']],
    ['a holder of 192 characters', { holder: 'A'.repeat(192) }, ['holder length']],
    ['a control character', { holder: 'ANA\u0000SOUZA' }, ['holder invalid']],
    ['month 13', { expMonth: '13' }, ['expMonth invalid']],
    ['month 0', { expMonth: 0 }, ['expMonth invalid']],
    ['a year of three digits', { expYear: '203' }, ['expYear invalid']],
    ['a past month of this year', { expMonth: '10', expYear: '26' }, ['expMonth expired']],
    ['a past year', { expMonth: '12', expYear: '2025' }, ['expYear expired']],
    ['four digits of code', { securityCode: '1234' }, ['securityCode invalid']],
    ['an Amex code of three digits', { number: '378282246310005' }, ['securityCode invalid']],
    ['letters in the code', { securityCode: '12x' }, ['securityCode invalid']],
    ['a card holder of 192 characters', { cardHolder: { name: 'A'.repeat(192) } }, ['cardHolder length']],
    [
      'a document of a card holder of 65 characters',
      { cardHolder: { name: 'A', identification: { type: 'CPF', number: '1'.repeat(65) } } },
      ['cardHolder length'],
    ],
    [
      'nothing at all',
      { number: undefined, holder: null, expMonth: {}, expYear: [], securityCode: true },
      ['number', 'holder', 'expMonth', 'expYear', 'securityCode'].map((field) => `${field} required`),
    ],
  ];
  for (const [what, change, expected] of wrong) {
    test(what, async () => {
      const card = { ...CARD, ...change } as Card;
      const error = await encryptCard(card, JWK).then(assert.fail, (thrown: unknown) => thrown);
      assert.ok(error instanceof CardError);
      assert.deepEqual(
        error.problems.map(({ field, code }) => `${field} ${code}`),
        expected,
      );
      assert.equal(error.of(error.problems[0]!.field), error.problems[0]);
      assert.doesNotMatch(error.message, /4242|SOUZA|1234/, 'no value is in a message');
    });
  }

  test('a card is valid in the month of its expiry, by the date in São Paulo', () => {
    assert.deepEqual(validateCard({ ...CARD, expMonth: '11', expYear: '26' }), []);
    mock.timers.setTime(Date.parse('2026-12-01T02:59:59Z'));
    assert.deepEqual(validateCard({ ...CARD, expMonth: '11', expYear: '26' }), []);
    mock.timers.setTime(Date.parse('2026-12-01T03:00:00Z'));
    assert.equal(validateCard({ ...CARD, expMonth: '11', expYear: '26' })[0]!.code, 'expired');
  });
});

describe('an invalid key and an invalid card are different errors', () => {
  for (const key of [
    '',
    'x'.repeat(31),
    'é'.repeat(32),
    {},
    null,
    { jwk: null },
    { kty: 'RSA', n: 'x', e: 'AQAB' },
    { ...JWK, use: 'sig' },
    { ...JWK, alg: 'RS256' },
  ]) {
    test(JSON.stringify(key), async () => {
      const error = await encryptCard(CARD, key as never).then(assert.fail, (thrown: unknown) => thrown);
      assert.ok(error instanceof EncryptionSetupError, String(error));
      assert.equal(error.code, 'invalid_key');
    });
  }
});
