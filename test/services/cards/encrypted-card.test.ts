import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { describe, test } from 'node:test';
import { trailerOf } from '../../../services/cards/aes-padding.ts';
import { openEncryptedCard } from '../../../services/cards/encrypted-card.ts';
import { cardDocument, encryptAes, encryptCard, encryptJwe, VISA } from '../../support/cards/cards.ts';
import vector from '../../vectors/card-encryption.json' with { type: 'json' };

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const JWK = publicKey.export({ format: 'jwk' });
const OTHER_JWK = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ format: 'jwk' });
const KEYS = {
  encryptionKey: vector.secret,
  privateKey: privateKey.export({ type: 'pkcs8', format: 'der' }),
};
const open = (encrypted: string) => openEncryptedCard(encrypted, KEYS);

describe('the AES form', () => {
  test('opens the published vector, and encrypts to it', async () => {
    assert.deepEqual(await open(vector.encrypted), JSON.parse(vector.plaintext).cardData);
    assert.equal(encryptAes(vector.plaintext, vector.secret), vector.encrypted);
  });

  test('reads cards of every padding length, and text beyond ASCII', async () => {
    for (let length = 1; length <= 16; length += 1) {
      const card = { ...VISA, holder: 'JOSÉ '.padEnd(10 + length, 'X') };
      assert.deepEqual(await open(encryptCard(card, vector.secret)), card, `${length} more`);
    }
  });

  test('ignores cardHolder and the brand', async () => {
    const document = { cardData: { ...VISA, brand: 'elo' }, cardHolder: { name: 'Ana', identification: 7 } };
    assert.deepEqual(await open(encryptAes(JSON.stringify(document), vector.secret)), VISA);
  });

  /**
   * Each makes noise of 16 bytes, here often within the holder: text one time in 400,000, so every try is a failure.
   */
  test('is refused with any one bit changed', async () => {
    const card = { ...VISA, holder: 'MARIA '.padEnd(100, 'A') };
    const bytes = Buffer.from(encryptCard(card, vector.secret), 'base64');
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const altered = Buffer.from(bytes);
      altered[bit >> 3]! ^= 1 << (bit & 7);
      assert.equal(await open(altered.toString('base64')), null, `bit ${bit}`);
    }
  });

  test('leaves values that are not text to the validation of the card', async () => {
    const card = { ...VISA, number: 4242424242424242, expMonth: null };
    assert.deepEqual(await open(encryptCard(card as never, vector.secret)), card);
  });
});

describe('the JWE form', () => {
  test('opens a compact JWE under the public key', async () => {
    assert.deepEqual(await open(await encryptJwe(cardDocument(VISA), JWK)), VISA);
  });

  test('refuses other algorithms, compression and other keys', async () => {
    const plain = cardDocument(VISA);
    const refused = {
      'RSA-OAEP': await encryptJwe(plain, JWK, { alg: 'RSA-OAEP', enc: 'A256GCM' }),
      A128GCM: await encryptJwe(plain, JWK, { alg: 'RSA-OAEP-256', enc: 'A128GCM' }),
      zip: await encryptJwe(plain, JWK, { alg: 'RSA-OAEP-256', enc: 'A256GCM', zip: 'DEF' }),
      'another key': await encryptJwe(plain, OTHER_JWK),
    };
    for (const [what, jwe] of Object.entries(refused)) assert.equal(await open(jwe), null, what);
  });
});

describe('an unreadable value is null, never an error', () => {
  const whole = encryptCard(VISA, vector.secret);
  const flipped = Buffer.from(whole, 'base64');
  flipped[flipped.length - 17]! ^= 1;
  const cases: Record<string, string> = {
    'not base64': '*not base64*',
    'base64url of something': 'YWJj-_',
    'white space': ` ${whole}`,
    'a text with a line break': `${whole.slice(0, 64)}\n${whole.slice(64)}`,
    'no whole block': Buffer.alloc(15).toString('base64'),
    'one block of zeros': Buffer.alloc(16).toString('base64'),
    'cut off by a block': Buffer.from(whole, 'base64').subarray(0, -16).toString('base64'),
    'padding changed': flipped.toString('base64'),
    'padding that does not fit': encryptAes(cardDocument(VISA).padEnd(128, '\x03'), vector.secret, false),
    'padding of zeros': encryptAes(cardDocument(VISA).padEnd(128, '\0'), vector.secret, false),
    'another key': encryptCard(VISA, 'abcdefghijklmnopqrstuvwxyz012345'),
    'an OpenSSL salted text': Buffer.from('Salted__0123456789abcdef01234567').toString('base64'),
    'plain JSON': cardDocument(VISA),
    'JSON broken off': encryptAes(cardDocument(VISA).slice(0, -1), vector.secret),
    'JSON null': encryptAes('null', vector.secret),
    'JSON of a text': encryptAes('"cardData"', vector.secret),
    'JSON of a list': encryptAes(JSON.stringify([{ cardData: VISA }]), vector.secret),
    'no cardData': encryptAes(JSON.stringify(VISA), vector.secret),
    'cardData of a list': encryptAes(JSON.stringify({ cardData: [VISA] }), vector.secret),
    'cardData only inherited': encryptAes(
      JSON.stringify({ ['__proto__']: { cardData: VISA } }),
      vector.secret,
    ),
    'no UTF-8': encryptAes(
      Buffer.from(cardDocument({ ...VISA, holder: 'JOS\xc9' }), 'latin1'),
      vector.secret,
    ),
    nothing: encryptAes('', vector.secret),
    'deep nesting': encryptAes('['.repeat(12_000), vector.secret),
    'over 16 KiB': encryptCard({ ...VISA, holder: 'X'.repeat(16_000) }, vector.secret),
    'a JWE of nothing': '....',
    'a JWE of garbage': 'eyJhbGciOiJSU0EtT0FFUC0yNTYiLCJlbmMiOiJBMjU2R0NNIn0.AAAA.AAAA.AAAA.AAAA',
    'a JWT': 'eyJhbGciOiJub25lIn0.e30.',
    'a lone dot': '.',
  };
  for (const [what, encrypted] of Object.entries(cases)) {
    test(what, async () => assert.equal(await open(encrypted), null));
  }

  test('a JWE that does not contain a card', async () => {
    assert.equal(await open(await encryptJwe('{"cardData":', JWK)), null);
    assert.equal(await open(await encryptJwe('{}', JWK)), null);
  });

  test('a JWE with any part changed', async () => {
    const parts = (await encryptJwe(cardDocument(VISA), JWK)).split('.');
    for (let i = 0; i < parts.length; i += 1) {
      const changed = parts.with(i, `${parts[i]!.startsWith('A') ? 'B' : 'A'}${parts[i]!.slice(1)}`);
      assert.equal(await open(changed.join('.')), null, `part ${i}`);
    }
  });
});

describe('wrong padding and wrong JSON cannot be distinguished', () => {
  const document = cardDocument(VISA);

  test('the same text is parsed to its end, once, after right and wrong padding', async (t) => {
    const parse = t.mock.method(JSON, 'parse');
    const parsed = () => parse.mock.calls.map(({ arguments: [text] }) => text);
    const blocks = Math.ceil((document.length + 1) / 16) * 16;
    const wrongly = encryptAes(document.padEnd(blocks, '\x01\x02'), vector.secret, false);

    assert.deepEqual(await open(encryptAes(document, vector.secret)), VISA);
    assert.deepEqual(parsed(), [document]);
    parse.mock.resetCalls();
    assert.equal(await open(wrongly), null);
    assert.deepEqual(parsed(), [document]);
  });

  test('the padding is checked as PKCS #7 defines it, for every last byte', () => {
    for (let count = 0; count < 256; count += 1) {
      const isPossible = count >= 1 && count <= 16;
      const length = isPossible ? count : Number(count === 0);
      const block = Buffer.alloc(16, '}').fill(count, 16 - Math.max(length, 1));
      assert.deepEqual(trailerOf(block), { isPadding: isPossible, length }, `${length} times ${count}`);
      for (let at = 16 - length; at < 15; at += 1) {
        const faulty = Buffer.from(block);
        faulty[at]! ^= 0x80;
        assert.equal(trailerOf(faulty).isPadding, false, `${count}, byte ${at} wrong`);
      }
    }
  });

  test('white space is allowed before the padding, other control characters are not', () => {
    const ending = (text: string) => trailerOf(Buffer.from(text.padStart(16, '}')));
    assert.deepEqual(ending('\t\r\n\x01'), { isPadding: true, length: 4 });
    assert.deepEqual(ending('\x03\x03\x03\x03'), { isPadding: false, length: 4 });
    assert.deepEqual(ending('\0\x01'), { isPadding: false, length: 2 });
  });
});
