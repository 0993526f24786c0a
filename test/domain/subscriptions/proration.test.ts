import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { OfferInterval } from '../../../domain/products/billing-interval.ts';
import { prorate } from '../../../domain/subscriptions/proration.ts';
import vectors from '../../vectors/proration.json' with { type: 'json' };

const price = (amount_centavos: number, interval: OfferInterval = 'monthly') => ({
  amount_centavos,
  interval,
});
const rest = (daysLeft: number, daysInCycle: number, interval: OfferInterval = 'monthly') => ({
  daysLeft,
  daysInCycle,
  interval,
});

describe('the difference of a plan for the rest of a cycle', () => {
  for (const { old_amount, new_amount, days_left, days_in_cycle, delta } of vectors.vectors) {
    it(`is ${delta} from ${old_amount} to ${new_amount} for ${days_left} of ${days_in_cycle} days`, () => {
      assert.equal(prorate(price(old_amount), price(new_amount), rest(days_left, days_in_cycle)), delta);
    });
  }

  it('scales the price of another interval by months', () => {
    assert.equal(prorate(price(10_000), price(24_000, 'quarterly'), rest(30, 30)), -2_000);
    assert.equal(prorate(price(24_000, 'quarterly'), price(10_000), rest(45, 90, 'quarterly')), 3_000);
    assert.equal(prorate(price(12_000, 'yearly'), price(2_000), rest(15, 30)), 500);
  });

  it('is rounded once: a scaled price is not rounded before', () => {
    // A third of 10,000 is 3,333.33; a third of 10,001 is 3,333.67. 2 days of 3 are 0.22 centavos apart.
    assert.equal(prorate(price(10_000, 'quarterly'), price(10_001, 'quarterly'), rest(2, 3)), 0);
    assert.equal(prorate(price(10_000, 'quarterly'), price(10_003, 'quarterly'), rest(2, 3)), 1);
  });

  it('has the opposite sign for the opposite change, and is never more than the whole difference', () => {
    const interval = fc.constantFrom<OfferInterval>('monthly', 'quarterly', 'half-yearly', 'yearly');
    const anyPrice = fc.record({ amount_centavos: fc.nat(1_000_000_000), interval });
    const anyRest = fc
      .record({ daysInCycle: fc.integer({ min: 1, max: 366 }), interval, share: fc.nat(1_000) })
      .map(({ share, ...cycle }) => ({
        ...cycle,
        daysLeft: Math.floor((cycle.daysInCycle * share) / 1_000),
      }));
    fc.assert(
      fc.property(anyPrice, anyPrice, anyRest, (from, to, cycle) => {
        const delta = prorate(from, to, cycle);
        const whole = prorate(from, to, { ...cycle, daysLeft: cycle.daysInCycle });
        assert.equal(prorate(to, from, cycle), delta === 0 ? 0 : -delta);
        assert.ok(Math.abs(delta) <= Math.abs(whole));
      }),
      { seed: 20_261_123, numRuns: 500 },
    );
  });

  it('does not exist for a week', () => {
    const weekly = { amount_centavos: 1, interval: 'weekly' as const };
    assert.throws(() => prorate(weekly, weekly, { ...rest(1, 7), interval: 'weekly' }), /not prorated/);
  });
});
