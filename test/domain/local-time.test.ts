import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import {
  endOfMerchantDay,
  isCalendarDate,
  localTimestamp,
  merchantDay,
  startOfMerchantDay,
  utcMicros,
} from '../../domain/local-time.ts';

const anyInstant = fc.date({
  min: new Date('1900-01-01T00:00:00Z'),
  max: new Date('2150-01-01T00:00:00Z'),
  noInvalidDate: true,
});
const zoned = (date: Date) =>
  Temporal.Instant.fromEpochMilliseconds(date.getTime()).toZonedDateTimeISO('America/Sao_Paulo');

describe('the wall clock of São Paulo', () => {
  it('is three hours behind UTC today', () => {
    assert.equal(localTimestamp(new Date('2026-03-05T01:02:03.999Z')), '04/03/2026 22:02:03');
    assert.equal(localTimestamp(new Date('2026-01-01T03:00:00Z')), '01/01/2026 00:00:00');
  });

  it('was two hours behind in the summers before 2019', () => {
    assert.equal(localTimestamp(new Date('2019-01-15T12:00:00Z')), '15/01/2019 10:00:00');
    assert.equal(localTimestamp(new Date('2019-02-17T01:59:59Z')), '16/02/2019 23:59:59');
    assert.equal(localTimestamp(new Date('2019-02-17T02:00:00Z')), '16/02/2019 23:00:00');
  });

  it('agrees with Temporal from 1900 to 2150', () => {
    fc.assert(
      fc.property(anyInstant, (date) => {
        const { day, month, year, hour, minute, second } = zoned(date);
        const two = (value: number) => String(value).padStart(2, '0');
        const expected = `${two(day)}/${two(month)}/${year} ${two(hour)}:${two(minute)}:${two(second)}`;
        assert.equal(localTimestamp(date), expected);
        assert.equal(merchantDay(date), zoned(date).toPlainDate().toString());
      }),
    );
  });

  it('refuses an invalid date', () => {
    assert.throws(() => localTimestamp(new Date(Number.NaN)), RangeError);
    assert.throws(() => merchantDay(new Date(Number.NaN)), RangeError);
  });
});

describe("the merchant's day", () => {
  it('begins at 03:00 UTC and ends when the next begins', () => {
    assert.equal(startOfMerchantDay('2026-02-28').toISOString(), '2026-02-28T03:00:00.000Z');
    assert.equal(endOfMerchantDay('2026-02-28').toISOString(), '2026-03-01T03:00:00.000Z');
  });

  it('began at 01:00 when midnight was skipped, and could have 23 or 25 hours', () => {
    const hours = (day: string) =>
      (endOfMerchantDay(day).getTime() - startOfMerchantDay(day).getTime()) / 3_600_000;
    assert.equal(localTimestamp(startOfMerchantDay('2018-11-04')), '04/11/2018 01:00:00');
    assert.equal(hours('2018-11-04'), 23);
    assert.equal(hours('2019-02-16'), 25);
  });

  it('contains its first instant but not its end', () => {
    fc.assert(
      fc.property(anyInstant, (date) => {
        const day = merchantDay(date);
        const start = startOfMerchantDay(day);
        const end = endOfMerchantDay(day);
        assert.ok(start <= date && date < end);
        assert.equal(merchantDay(start), day);
        assert.notEqual(merchantDay(new Date(start.getTime() - 1)), day);
        assert.notEqual(merchantDay(end), day);
      }),
    );
  });

  it('begins when Temporal says, from 1900 to 2150', () => {
    fc.assert(
      fc.property(anyInstant, (date) => {
        const day = zoned(date).toPlainDate();
        const startOf = (day: Temporal.PlainDate) =>
          day.toZonedDateTime('America/Sao_Paulo').epochMilliseconds;
        assert.equal(startOfMerchantDay(day.toString()).getTime(), startOf(day));
        assert.equal(endOfMerchantDay(day.toString()).getTime(), startOf(day.add({ days: 1 })));
      }),
    );
  });

  it('exists from the first year to the last', () => {
    assert.equal(startOfMerchantDay('0001-01-01').toISOString(), '0001-01-01T03:06:28.000Z');
    assert.equal(endOfMerchantDay('9999-12-31').toISOString(), '+010000-01-01T03:00:00.000Z');
  });

  it('refuses a text that is not a day', () => {
    for (const day of ['2026-02-29', '2026-2-1', '', 'today']) {
      assert.throws(() => startOfMerchantDay(day), RangeError, day);
      assert.throws(() => endOfMerchantDay(day), RangeError, day);
    }
  });
});

describe('UTC with microseconds', () => {
  it('has six decimals', () => {
    assert.equal(utcMicros(new Date('2026-03-05T01:02:03.004Z')), '2026-03-05T01:02:03.004000Z');
    assert.equal(utcMicros(new Date('2026-03-05T01:02:03Z'), 7), '2026-03-05T01:02:03.000007Z');
    assert.equal(utcMicros(new Date('2026-03-05T01:02:03.999Z'), 999), '2026-03-05T01:02:03.999999Z');
  });

  it('is what Date prints, whatever the day of the call before', () => {
    const edges = [
      '2026-03-05T23:59:59.999Z',
      '2026-03-06T00:00:00.000Z',
      '2026-03-05T00:00:00.000Z',
      '1969-12-31T23:59:59.999Z',
      '1970-01-01T00:00:00.000Z',
      '0001-01-01T00:00:00.000Z',
      '9999-12-31T23:59:59.999Z',
    ];
    const asDatePrints = (date: Date) => `${date.toISOString().slice(0, -1)}000Z`;
    for (const text of edges) assert.equal(utcMicros(new Date(text)), asDatePrints(new Date(text)));
    fc.assert(
      fc.property(fc.date({ noInvalidDate: true }), (date) => {
        assert.equal(utcMicros(date), asDatePrints(date));
      }),
    );
    assert.throws(() => utcMicros(new Date(Number.NaN)), RangeError);
  });

  it('refuses invalid microseconds', () => {
    for (const extra of [-1, 1000, 0.5]) assert.throws(() => utcMicros(new Date(0), extra), RangeError);
  });
});

describe('a day of the calendar', () => {
  it('exists only in a month that is long enough, also in leap years', () => {
    for (const day of ['2024-02-29', '2000-02-29', '2026-12-31', '2026-04-30', '0001-01-01', '9999-12-31']) {
      assert.equal(isCalendarDate(day), true, day);
    }
    const wrong = [
      '2024-02-30',
      '2026-02-29',
      '1900-02-29',
      '2026-04-31',
      '2026-13-01',
      '2026-00-10',
      '2026-01-00',
    ];
    for (const day of [
      ...wrong,
      '0000-01-01',
      '2026-1-1',
      '26-01-01',
      '2026-01-01T00:00Z',
      '+002026-01-01',
      '2026-01-01\n',
      '',
    ]) {
      assert.equal(isCalendarDate(day), false, day);
    }
  });

  it('agrees with Temporal', () => {
    const part = (max: number, digits: number) => fc.nat(max).map((n) => String(n).padStart(digits, '0'));
    fc.assert(
      fc.property(part(9999, 4), part(13, 2), part(32, 2), (year, month, day) => {
        fc.pre(year !== '0000');
        const exists = (() => {
          try {
            return Boolean(Temporal.PlainDate.from(`${year}-${month}-${day}`));
          } catch {
            return false;
          }
        })();
        assert.equal(isCalendarDate(`${year}-${month}-${day}`), exists);
      }),
      { numRuns: 500 },
    );
  });
});
