/** The day of the first charge that a mandate pays. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { scheduleFrom } from '../../../domain/subscriptions/billing-dates.ts';
import { firstChargeDate } from '../../../domain/subscriptions/mandate-terms.ts';

const PAID = 4_990;

/** The date from a cycle on, if some cycles are free, and those before and after them have a price. */
function dateFrom(cycle: number, free: { readonly start: number; readonly end: number | null }): string {
  const { start, end } = free;
  const ladder = [
    { start: 1, end: start - 1, amount_centavos: PAID },
    { start, end, amount_centavos: 0 },
    ...(end === null ? [] : [{ start: end + 1, end: null, amount_centavos: PAID }]),
  ].filter((band) => band.end === null || band.end >= band.start);
  return firstChargeDate({ plan: { ladder }, schedule: scheduleFrom('2026-01-31', 'monthly', null) }, cycle);
}

it('is the billing date of a cycle that has a price', () => {
  assert.equal(dateFrom(1, { start: 2, end: 3 }), '2026-01-31');
  assert.equal(dateFrom(4, { start: 2, end: 3 }), '2026-04-30');
});

it('is that of the first cycle with a price after free cycles', () => {
  assert.equal(dateFrom(1, { start: 1, end: 1 }), '2026-02-28');
  assert.equal(dateFrom(2, { start: 2, end: 3 }), '2026-04-30');
  assert.equal(dateFrom(3, { start: 2, end: 3 }), '2026-04-30');
});

it('is that of the first cycle if none has a price, or only one without a date', () => {
  assert.equal(dateFrom(2, { start: 2, end: null }), '2026-02-28');
  assert.equal(dateFrom(2, { start: 2, end: 1_000_000 }), '2026-02-28');
});

it('is that of the first cycle that a credit does not pay in full', () => {
  const ladder = [{ start: 1, end: null, amount_centavos: PAID }];
  const schedule = scheduleFrom('2026-01-31', 'monthly', null);
  for (const [credit, on] of [
    [PAID - 1, '2026-02-28'],
    [PAID, '2026-03-31'],
    [2 * PAID + 1, '2026-04-30'],
  ] as const) {
    assert.equal(firstChargeDate({ plan: { ladder }, schedule }, 2, credit), on, String(credit));
  }
});

it('is that of the first cycle if the ladder has ended before', () => {
  const ladder = [{ start: 1, end: 1, amount_centavos: PAID }];
  const schedule = scheduleFrom('2026-01-31', 'monthly', null);
  assert.equal(firstChargeDate({ plan: { ladder }, schedule }, 2), '2026-02-28');
});
