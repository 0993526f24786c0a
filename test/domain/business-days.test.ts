import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { addDays, daysBetween, nextBusinessDay } from '../../domain/business-days.ts';

const seed = 20_261_123;
const anyDay = fc
  .date({
    min: new Date('1990-01-01'),
    max: new Date('2199-12-31'),
    noInvalidDate: true,
  })
  .map((date) => date.toISOString().slice(0, 10));

const isBusinessDay = (day: string) => nextBusinessDay(addDays(day, -1)) === day;
const isOnWeekend = (day: string) => Temporal.PlainDate.from(day).dayOfWeek > 5;

/** Month and day of every bank holiday of a year that is not on a weekend. */
function holidaysOf(year: number): string[] {
  const days: string[] = [];
  for (let day = `${year}-01-01`; day.startsWith(String(year)); day = addDays(day, 1)) {
    if (!isOnWeekend(day) && !isBusinessDay(day)) days.push(day.slice(5));
  }
  return days;
}

/** Easter Sunday by the algorithm of Meeus, Jones and Butcher: another one than that under test. */
function easterOf(year: number): Temporal.PlainDate {
  const a = year % 19;
  const b = Math.floor(year / 100);
  const c = year % 100;
  const g = Math.floor((8 * b + 13) / 25);
  const h = (19 * a + b - Math.floor(b / 4) - g + 15) % 30;
  const l = (32 + 2 * (b % 4) + 2 * Math.floor(c / 4) - h - (c % 4)) % 7;
  const m = Math.floor((a + 11 * h + 19 * l) / 433);
  const month = Math.floor((h + l - 7 * m + 90) / 25);
  const day = (h + l - 7 * m + 33 * month + 19) % 32;
  return Temporal.PlainDate.from({ year, month, day });
}

describe('the national bank holidays', () => {
  // As ANBIMA publishes them. Each is on a day from Monday to Friday in one of these years.
  const years: readonly (readonly [number, string])[] = [
    [2023, '01-01 02-20 02-21 04-07 04-21 05-01 06-08 09-07 10-12 11-02 11-15 12-25'],
    [2024, '01-01 02-12 02-13 03-29 04-21 05-01 05-30 09-07 10-12 11-02 11-15 11-20 12-25'],
    [2025, '01-01 03-03 03-04 04-18 04-21 05-01 06-19 09-07 10-12 11-02 11-15 11-20 12-25'],
    [2026, '01-01 02-16 02-17 04-03 04-21 05-01 06-04 09-07 10-12 11-02 11-15 11-20 12-25'],
    [2027, '01-01 02-08 02-09 03-26 04-21 05-01 05-27 09-07 10-12 11-02 11-15 11-20 12-25'],
    [2028, '01-01 02-28 02-29 04-14 04-21 05-01 06-15 09-07 10-12 11-02 11-15 11-20 12-25'],
    [2030, '01-01 03-04 03-05 04-19 04-21 05-01 06-20 09-07 10-12 11-02 11-15 11-20 12-25'],
  ];
  for (const [year, days] of years) {
    it(`of ${year}`, () => {
      const onWorkdays = days.split(' ').filter((day) => !isOnWeekend(`${year}-${day}`));
      assert.deepEqual(holidaysOf(year), onWorkdays);
    });
  }

  it('move with Easter in every year from 1900 to 4000', () => {
    for (let year = 1900; year <= 4000; year += 1) {
      for (const offset of [-48, -47, -2, 60]) {
        assert.ok(!isBusinessDay(easterOf(year).add({ days: offset }).toString()), `${year} ${offset}`);
      }
      // Ash Wednesday is a business day.
      assert.ok(isBusinessDay(easterOf(year).subtract({ days: 46 }).toString()), `${year}`);
    }
  });
});

describe('business days', () => {
  it('skip weekends and holidays', () => {
    for (const [day, next] of [
      ['2026-11-18', '2026-11-19'],
      // The 20th is a holiday and a Friday.
      ['2026-11-19', '2026-11-23'],
      ['2023-11-19', '2023-11-20'],
      ['2026-11-21', '2026-11-23'],
      // Carnival.
      ['2026-02-13', '2026-02-18'],
      // Good Friday.
      ['2026-04-02', '2026-04-06'],
      ['2026-12-30', '2026-12-31'],
      ['2026-12-31', '2027-01-04'],
    ] as const) {
      assert.equal(nextBusinessDay(day), next, day);
    }
  });

  it('are from Monday to Friday, and at most five days apart', () => {
    fc.assert(
      fc.property(anyDay, (day) => {
        const next = nextBusinessDay(day);
        assert.ok(isBusinessDay(next) && Temporal.PlainDate.from(next).dayOfWeek <= 5);
        for (let between = addDays(day, 1); between < next; between = addDays(between, 1)) {
          assert.ok(!isBusinessDay(between), between);
        }
        assert.ok(daysBetween(day, next) >= 1 && daysBetween(day, next) <= 5, `${day} ${next}`);
      }),
      { seed, numRuns: 300 },
    );
  });
});

describe('days of the calendar', () => {
  it('are counted like those of Temporal', () => {
    fc.assert(
      fc.property(anyDay, fc.integer({ min: -40_000, max: 40_000 }), (day, count) => {
        const later = Temporal.PlainDate.from(day).add({ days: count }).toString();
        assert.equal(addDays(day, count), later);
        assert.equal(daysBetween(day, later), count);
      }),
      { seed },
    );
  });

  it('are refused if they do not exist', () => {
    for (const day of ['2026-02-29', '2026-2-1', '', 'today']) {
      assert.throws(() => nextBusinessDay(day), RangeError);
      assert.throws(() => addDays(day, 1), RangeError);
      assert.throws(() => daysBetween('2026-01-01', day), RangeError);
    }
    assert.throws(() => addDays('9999-12-31', 1), RangeError);
    assert.throws(() => addDays('0001-01-01', -1), RangeError);
  });
});
