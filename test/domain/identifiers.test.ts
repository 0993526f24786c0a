import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import {
  endToEndId,
  isCanonicalUuid,
  isPublicHash,
  isUuid,
  looksLikeUuid,
  normalizeUuid,
  operationReference,
  pixTxid,
  publicHash,
  referenceOfId,
  slotOfHash,
  slotPrefix,
  uuidV7,
} from '../../domain/identifiers.ts';
import { BASE36, BASE62, randomText } from '../../domain/random-text.ts';

// The counter of this process begins at a known place, far from its end.
uuidV7(0, (count) => new Uint8Array(count));

const NOW_ms = Date.parse('2026-08-31T12:00:00Z');
const CANONICAL = '0198fb50-4a00-7abc-8def-0123456789ab';
const WITHOUT_DASHES = CANONICAL.replaceAll('-', '');

describe('UUID v7', () => {
  it('contains time, version and variant', () => {
    const id = uuidV7(NOW_ms, randomBytes);
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    assert.equal(Number.parseInt(id.replace('-', '').slice(0, 12), 16), NOW_ms);
    assert.equal(uuidV7(0, randomBytes).slice(0, 15), '00000000-0000-7');
  });

  it('is unique, and sorts in the order of creation, also within a millisecond', () => {
    const ids = Array.from({ length: 40_000 }, (_, i) =>
      uuidV7(NOW_ms + Math.floor(i / 20_000), randomBytes),
    );
    assert.equal(new Set(ids).size, ids.length);
    assert.equal(
      ids.findIndex((id, i) => i > 0 && id <= ids[i - 1]!),
      -1,
    );
  });

  it('stays unique when randomness repeats', () => {
    const stuck = (count: number) => new Uint8Array(count);
    assert.notEqual(uuidV7(NOW_ms, stuck), uuidV7(NOW_ms, stuck));
  });

  it('refuses a time that does not fit', () => {
    for (const ms of [-1, 2 ** 48, 1.5, Number.NaN]) assert.throws(() => uuidV7(ms, randomBytes), RangeError);
  });
});

describe('UUID texts', () => {
  const canonical = [CANONICAL, CANONICAL.toUpperCase()];
  const shapedOnly = [
    WITHOUT_DASHES,
    WITHOUT_DASHES.toUpperCase(),
    '0198fb504a00-7abc-8def-0123456789ab',
    '0198fb5-04a00-7abc-8def-0123456789ab',
    '-'.repeat(20) + WITHOUT_DASHES,
    'zzzzzzzz-zzzz-zzzz-zzzz-zzzzzzzzzzzz',
    `${CANONICAL.slice(0, -1)}g`,
  ];
  const unlike = [
    '',
    'abc',
    '123',
    `{${CANONICAL.toUpperCase()}}`,
    `${CANONICAL}0`,
    WITHOUT_DASHES.slice(1),
    'z'.repeat(32),
    'z'.repeat(36),
  ];

  for (const text of canonical) {
    it(`canonical: ${text}`, () => {
      assert.deepEqual([isCanonicalUuid(text), isUuid(text), looksLikeUuid(text)], [true, true, true]);
      assert.equal(normalizeUuid(text), CANONICAL);
    });
  }
  for (const text of shapedOnly) {
    it(`has the form of a UUID, but is not canonical: ${text}`, () => {
      assert.deepEqual([isCanonicalUuid(text), isUuid(text), looksLikeUuid(text)], [false, false, true]);
    });
  }
  for (const text of unlike) {
    it(`is not a UUID: ${JSON.stringify(text)}`, () => {
      assert.deepEqual([isCanonicalUuid(text), isUuid(text), looksLikeUuid(text)], [false, false, false]);
    });
  }
  it('values of other types are not UUIDs', () => {
    for (const value of [null, undefined, 7, {}, [CANONICAL]]) assert.equal(isUuid(value), false);
    assert.equal(isCanonicalUuid(`${CANONICAL}\n`), false);
  });
});

describe('slots', () => {
  it('are found in hash, reference and txid, for each of the 256', () => {
    for (let slot = 0; slot < 256; slot += 1) {
      for (const make of [publicHash, operationReference, pixTxid]) {
        assert.equal(slotOfHash(make(slot, randomBytes)), slot);
      }
    }
    assert.deepEqual(
      [slotPrefix(0), slotPrefix(31), slotPrefix(32), slotPrefix(255)],
      ['aa', 'a7', 'ba', 'h7'],
    );
  });

  it('are not found in other texts', () => {
    for (const text of ['', 'a', 'ia', 'zz', '7a', 'AA', 'a1', 'a8', '1a', '??', 'é4']) {
      assert.equal(slotOfHash(text), null, JSON.stringify(text));
    }
  });

  it('outside 0–255 are refused', () => {
    for (const slot of [-1, 256, 1.5, Number.NaN]) assert.throws(() => slotPrefix(slot), RangeError);
  });
});

describe('identifiers for others', () => {
  it('have their length and alphabet', () => {
    const hash = publicHash(7, randomBytes);
    assert.match(hash, /^ah[a-z2-7]{24}$/);
    const others = [
      '',
      `${hash}a`,
      hash.slice(1),
      hash.toUpperCase(),
      `z${hash.slice(1)}`,
      `${hash.slice(1)}1`,
    ];
    assert.deepEqual([hash, ...others].map(isPublicHash), [true, ...others.map(() => false)]);
    assert.match(operationReference(7, randomBytes), /^ah[a-z0-9]{30}$/);
    assert.match(pixTxid(7, randomBytes), /^ah[a-z0-9]{30}$/);
  });

  it('of one object are the same for the same UUID', () => {
    const id = '01A1FF1F-49b8-74d4-b96f-58da6d4a8512';
    assert.equal(referenceOfId(7, id), 'ah01a1ff1f49b874d4b96f58da6d4a8512');
    assert.equal(referenceOfId(7, id.toLowerCase()), referenceOfId(7, id));
  });

  it('of transfers have the ISPB, the UTC minute and 11 letters or digits', () => {
    const id = endToEndId('18236120', new Date('2026-08-31T23:59:59Z'), randomBytes);
    assert.match(id, /^E18236120202608312359[0-9A-Za-z]{11}$/);
    assert.equal(id.length, 32);
    assert.throws(() => endToEndId('1823612', new Date(), randomBytes), RangeError);
  });

  it('uses the whole alphabet', () => {
    const hashes = Array.from({ length: 200 }, () => publicHash(0, randomBytes).slice(2)).join('');
    assert.equal(new Set(hashes).size, 32);
    assert.equal(new Set(randomText(BASE62, 5000, randomBytes)).size, 62);
  });
});

describe('random text', () => {
  it('does not use the values of a byte that would make some characters more frequent', () => {
    const bytes = [255, 252, 251, 0, 36];
    const random = (count: number) => Uint8Array.from(bytes.splice(0, count));
    assert.equal(randomText(BASE36, 3, random), 'z00');
  });

  it('throws if the source returns the same bytes forever', () => {
    assert.throws(() => randomText(BASE36, 3, (count) => new Uint8Array(count).fill(255)), /stuck/);
  });
});
