import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { crc32 } from 'node:zlib';
import { makeApiKey, parseApiKey } from '../../../domain/merchants/api-key.ts';

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** The checksum of a text, as a secret scanner computes it. */
function checksumOf(body: string): string {
  const places = [5, 4, 3, 2, 1, 0];
  return places.map((place) => DIGITS[Math.floor(crc32(body) / 62 ** place) % 62]).join('');
}

describe('a new key', () => {
  it('has prefix, slot, random characters and checksum', () => {
    assert.match(makeApiKey('sandbox', 0, randomBytes), /^pay_test_aa[0-9A-Za-z]{38}$/);
    assert.match(makeApiKey('production', 255, randomBytes), /^pay_live_h7[0-9A-Za-z]{38}$/);
    assert.notEqual(makeApiKey('sandbox', 0, randomBytes), makeApiKey('sandbox', 0, randomBytes));
  });

  it('is read back, for every slot and both environments', () => {
    for (let slot = 0; slot < 256; slot += 1) {
      for (const environment of ['sandbox', 'production'] as const) {
        const key = makeApiKey(environment, slot, randomBytes);
        const prefix = environment === 'sandbox' ? 'pay_test_' : 'pay_live_';
        assert.deepEqual(parseApiKey(key), { environment, slot, prefix, last4: key.slice(-4) });
      }
    }
  });
});

describe('the checksum', () => {
  it('is the CRC-32 in base62, digits before upper before lower case', () => {
    // CRC-32 of "123456789" is 0xCBF43926 = 3421780262 (the check value of the CRC catalogue).
    assert.equal(checksumOf('123456789'), '3jZRME');
    const value = [...'3jZRME'].reduce((sum, digit) => sum * 62 + DIGITS.indexOf(digit), 0);
    assert.equal(value, 0xcbf43926);
    const key = makeApiKey('sandbox', 0, randomBytes);
    assert.equal(key.slice(-6), checksumOf(key.slice('pay_test_'.length, -6)));
  });

  it('is padded with zeros', () => {
    assert.equal(checksumOf(''), '000000');
    const checksums = Array.from({ length: 200 }, () => {
      const key = makeApiKey('sandbox', 0, randomBytes);
      assert.equal(key.slice(-6), checksumOf(key.slice('pay_test_'.length, -6)));
      return key.slice(-6);
    });
    assert.ok(checksums.some((checksum) => checksum.startsWith('0')));
  });

  it('detects a change of any one character', () => {
    const key = makeApiKey('sandbox', 12, randomBytes);
    for (let at = 'pay_test_'.length; at < key.length; at += 1) {
      const other = key[at] === 'x' ? 'y' : 'x';
      assert.equal(parseApiKey(key.slice(0, at) + other + key.slice(at + 1)), null, `at ${at}`);
    }
  });
});

describe('a key that we did not make', () => {
  const withChecksum = (prefix: string, body: string) => prefix + body + checksumOf(body);

  it('has an environment but no slot if its checksum fits', () => {
    const key = withChecksum('pay_live_', 'Z'.repeat(32));
    assert.equal(parseApiKey(key)?.environment, 'production');
    assert.equal(parseApiKey(key)?.slot, null);
  });

  it('is not a key if it is malformed', () => {
    const key = makeApiKey('sandbox', 0, randomBytes);
    const wrong = [
      '',
      'pay_test_',
      key.slice(1),
      key.slice(0, -1),
      `${key}0`,
      ` ${key}`,
      `${key}\n`,
      key.toUpperCase(),
      withChecksum('sk_test_', 'a'.repeat(34)),
      withChecksum('pay_test_', 'a'.repeat(31)),
      withChecksum('pay_test_', 'a'.repeat(129)),
      withChecksum('pay_test_', `${'a'.repeat(33)}-`),
    ];
    for (const text of wrong) assert.equal(parseApiKey(text), null, JSON.stringify(text));
  });
});
