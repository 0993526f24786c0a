import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { addDays } from '../../../domain/business-days.ts';
import type { BillingInterval } from '../../../domain/products/billing-interval.ts';
import {
  billingDate,
  cycleDate,
  scheduleFrom,
  stepTime,
  withInterval,
} from '../../../domain/subscriptions/billing-dates.ts';
import vectors from '../../vectors/calendar.json' with { type: 'json' };

const MONTHS = { monthly: 1, quarterly: 3, 'half-yearly': 6, yearly: 12 } as const;

describe('the dates of charges', () => {
  for (const { start, interval, dates } of vectors.sequences) {
    it(`follow ${start}, ${interval}`, () => {
      const every = interval as BillingInterval;
      const anchor = { start, interval: every };
      assert.equal(billingDate(anchor, 0), start);
      assert.deepEqual(
        dates.map((_, at) => billingDate(anchor, at + 1)),
        dates,
      );
      const schedule = scheduleFrom(start, every, null);
      assert.deepEqual(
        dates.map((_, at) => cycleDate(schedule, at + 2)),
        dates,
      );
    });
  }

  it('move to the best charge day from the second charge on, never in the month of the start', () => {
    const dates = (start: string, bestChargeDay: number) =>
      [0, 1, 2].map((charge) => billingDate({ start, interval: 'monthly', bestChargeDay }, charge));
    assert.deepEqual(dates('2026-01-20', 5), ['2026-01-20', '2026-02-05', '2026-03-05']);
    assert.deepEqual(dates('2026-01-05', 31), ['2026-01-05', '2026-02-28', '2026-03-31']);
  });

  it('are the same as those of Temporal, which keep the day of the start if the month has it', () => {
    const start = fc.nat(40_000).map((days) => addDays('2000-01-01', days));
    const interval = fc.constantFrom('monthly', 'quarterly', 'half-yearly', 'yearly');
    fc.assert(
      fc.property(start, interval, fc.nat(60), (day, every, charge) => {
        const expected = Temporal.PlainDate.from(day).add({ months: MONTHS[every] * charge });
        assert.equal(billingDate({ start: day, interval: every }, charge), expected.toString());
      }),
      { seed: 20_261_123, numRuns: 300 },
    );
  });
});

describe('the schedule of a subscription', () => {
  const dates = (schedule: ReturnType<typeof scheduleFrom>, ...cycles: number[]) =>
    cycles.map((cycle) => cycleDate(schedule, cycle));

  it('counts cycles from 1', () => {
    assert.deepEqual(dates(scheduleFrom('2026-01-31', 'monthly', null), 1, 2, 3), [
      '2026-01-31',
      '2026-02-28',
      '2026-03-31',
    ]);
  });

  it('keeps the day of the month when the interval changes in a short month', () => {
    const monthly = scheduleFrom('2026-01-31', 'monthly', null);
    const quarterly = withInterval(monthly, 2, 'quarterly');
    assert.deepEqual(dates(quarterly, 2, 3, 4), ['2026-02-28', '2026-05-31', '2026-08-31']);
    const yearly = withInterval(quarterly, 3, 'yearly');
    assert.deepEqual(dates(yearly, 3, 4), ['2026-05-31', '2027-05-31']);
  });

  it('keeps the best charge day when the interval changes', () => {
    const schedule = withInterval(scheduleFrom('2026-01-20', 'monthly', 5), 3, 'half-yearly');
    assert.deepEqual(dates(schedule, 3, 4), ['2026-03-05', '2026-09-05']);
  });

  it('has no date for a cycle before its base', () => {
    const schedule = withInterval(scheduleFrom('2026-01-20', 'monthly', null), 3, 'yearly');
    assert.throws(() => cycleDate(schedule, 2), RangeError);
  });

  it('runs its steps at 06:00 in São Paulo', () => {
    assert.equal(stepTime('2026-11-23').toISOString(), '2026-11-23T09:00:00.000Z');
  });
});
