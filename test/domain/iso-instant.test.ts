import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { microsOf, parseInstantOrDay, utcOfMicros } from '../../domain/iso-instant.ts';

describe("a merchant's day", () => {
  it('is the time from midnight to midnight in São Paulo', () => {
    assert.deepEqual(parseInstantOrDay('2024-02-29'), {
      from: new Date('2024-02-29T03:00:00Z'),
      toExclusive: new Date('2024-03-01T03:00:00Z'),
      fromUtc: '2024-02-29T03:00:00.000000Z',
      toExclusiveUtc: '2024-03-01T03:00:00.000000Z',
    });
  });

  it('is not before or after the years that four digits can name', () => {
    assert.equal(parseInstantOrDay('9999-12-31')?.toExclusiveUtc, '9999-12-31T23:59:59.999999Z');
    assert.equal(parseInstantOrDay('0001-01-01')?.fromUtc, '0001-01-01T03:06:28.000000Z');
  });
});

describe('an instant', () => {
  it('is exact to the microsecond as text, and to the millisecond as Date', () => {
    assert.deepEqual(parseInstantOrDay('2026-08-31T12:00:00.123456Z'), {
      from: new Date('2026-08-31T12:00:00.123Z'),
      toExclusive: new Date('2026-08-31T12:00:00.124Z'),
      fromUtc: '2026-08-31T12:00:00.123456Z',
      toExclusiveUtc: '2026-08-31T12:00:00.123457Z',
    });
  });

  const spellings: [string, string][] = [
    ['2026-08-31T12:00Z', '2026-08-31T12:00:00.000000Z'],
    ['2026-08-31t12:00:01z', '2026-08-31T12:00:01.000000Z'],
    ['2026-08-31T12:00:01Z', '2026-08-31T12:00:01.000000Z'],
    ['2026-08-31T12:00:00.5Z', '2026-08-31T12:00:00.500000Z'],
    ['2026-08-31T12:00:00.000001Z', '2026-08-31T12:00:00.000001Z'],
    ['2026-08-31T12:00:00.123456789Z', '2026-08-31T12:00:00.123456Z'],
    ['2026-08-31T23:30:00-03:00', '2026-09-01T02:30:00.000000Z'],
    ['2026-09-01T01:00:00+05:30', '2026-08-31T19:30:00.000000Z'],
  ];
  for (const [text, utc] of spellings) {
    it(`reads ${text}`, () => assert.equal(parseInstantOrDay(text)?.fromUtc, utc));
  }

  it('before 1970 keeps its microseconds', () => {
    assert.equal(microsOf('1969-12-31T23:59:59.999999Z'), -1n);
    const range = parseInstantOrDay('1969-12-31T23:59:59.999999Z')!;
    assert.deepEqual(
      [range.fromUtc, range.toExclusiveUtc],
      ['1969-12-31T23:59:59.999999Z', '1970-01-01T00:00:00.000000Z'],
    );
    assert.deepEqual([range.from.getTime(), range.toExclusive.getTime()], [-1, 0]);
  });

  it('can be made again from its microseconds', () => {
    const bounds = { min: -62_135_596_800_000_000n, max: 253_402_300_799_999_999n };
    fc.assert(
      fc.property(fc.bigInt(bounds), (micros) => assert.equal(microsOf(utcOfMicros(micros)), micros)),
    );
  });
});

describe('a text that is neither an instant nor a day', () => {
  const wrong = [
    '',
    'yesterday',
    '2024-02-30',
    '2024-02-30T00:00:00Z',
    '2026-13-01',
    '2026-08-31T24:00:00Z',
    '2026-08-31T12:60:00Z',
    '2026-08-31T12:00:60Z',
    '2026-08-31T12:00:00',
    '2026-08-31 12:00:00Z',
    '2026-08-31T12:00:00 03:00',
    '2026-08-31T12Z',
    '2026-08-31T12:00:00.Z',
    '2026-08-31T12:00:00+3',
    '2026-08-31T12:00:00+24:00',
    '20260831',
    '1788177600',
    '31/08/2026',
    '0000-01-01',
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00+03:00',
    '9999-12-31T23:00:00-03:00',
    '2026-08-31\n',
    ' 2026-08-31',
    '2026-08-31T12:00:00.1234567890Z',
    '+002026-08-31T12:00:00Z',
  ];
  for (const text of wrong) {
    it(`gives null: ${JSON.stringify(text)}`, () => assert.equal(parseInstantOrDay(text), null));
  }
});
