import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { decodeCursor, encodeCursor } from '../../domain/cursor.ts';
import { uuidV7 } from '../../domain/identifiers.ts';
import { utcMicros } from '../../domain/local-time.ts';

const ID = uuidV7(Date.parse('2026-08-31T12:00:00Z'), randomBytes);
const CREATED_AT = '2026-08-31T12:00:00.123456Z';
const instant = fc.date({ min: new Date(0), max: new Date('4000-01-01T00:00:00Z'), noInvalidDate: true });

describe('a cursor', () => {
  it('contains the time in microseconds and the id, in 32 characters that a URL can contain', () => {
    fc.assert(
      fc.property(instant, fc.nat(999), fc.uuid(), (date, extra, id) => {
        const createdAt = utcMicros(date, extra);
        const text = encodeCursor({ createdAt, id });
        assert.match(text, /^[A-Za-z0-9_-]{32}$/);
        assert.deepEqual(decodeCursor(text), { createdAt, id });
      }),
    );
  });

  it('can be made from a Date, and from an id in upper case', () => {
    const text = encodeCursor({ createdAt: new Date('2026-08-31T12:00:00.123Z'), id: ID.toUpperCase() });
    assert.deepEqual(decodeCursor(text), { createdAt: '2026-08-31T12:00:00.123000Z', id: ID });
  });

  it('cannot be made from an incomplete position', () => {
    const wrong = [
      '',
      'yesterday',
      '2026-08-31',
      '2026-08-31T12:00:00.123Z',
      '2026-02-30T12:00:00.000000Z',
      '1969-12-31T23:59:59.999999Z',
    ];
    for (const createdAt of wrong)
      assert.throws(() => encodeCursor({ createdAt, id: ID }), RangeError, createdAt);
    assert.throws(() => encodeCursor({ createdAt: CREATED_AT, id: 'abc' }), RangeError);
  });
});

describe('a text that is not a cursor', () => {
  const good = encodeCursor({ createdAt: CREATED_AT, id: ID });
  const wrong = [
    '',
    'x',
    good.slice(1),
    `${good}A`,
    `${good}=`,
    `${good}\n`,
    `${good.slice(0, -1)}+`,
    `B${good.slice(1)}`,
    'A'.repeat(32),
    '_'.repeat(32),
  ];
  for (const text of wrong) {
    it(`gives null: ${JSON.stringify(text)}`, () => assert.equal(decodeCursor(text), null));
  }

  it('never throws, and accepts only what encodeCursor writes', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...'AQgwxyz019_-'), minLength: 31, maxLength: 31 }),
        (rest) => {
          const text = `A${rest}`;
          const cursor = decodeCursor(text);
          if (cursor !== null) assert.equal(encodeCursor(cursor), text);
        },
      ),
      { numRuns: 500 },
    );
  });
});
