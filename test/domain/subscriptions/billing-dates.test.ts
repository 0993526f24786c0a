import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { addDays } from '../../../domain/business-days.ts';
import { type BillingInterval, billingDate } from '../../../domain/subscriptions/billing-dates.ts';
import vectors from '../../vectors/calendar.json' with { type: 'json' };

const MONTHS = { monthly: 1, quarterly: 3, 'half-yearly': 6, yearly: 12 } as const;

describe('the dates of charges', () => {
  for (const { start, interval, dates } of vectors.sequences) {
    it(`follow ${start}, ${interval}`, () => {
      const anchor = { start, interval: interval as BillingInterval };
      assert.equal(billingDate(anchor, 0), start);
      assert.deepEqual(
        dates.map((_, at) => billingDate(anchor, at + 1)),
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
