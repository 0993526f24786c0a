import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { addDays } from '../../../domain/business-days.ts';
import type { Billing } from '../../../domain/subscriptions/billing.ts';
import { billingRules } from '../../../domain/subscriptions/methods/index.ts';
import { BILLING_METHODS } from '../../../domain/subscriptions/methods/names.ts';
import type { NewBilling } from '../../../domain/subscriptions/start-billing.ts';
import {
  type Answer,
  afternoonOf,
  BillingPlayer,
  monthlyCard,
} from '../../support/subscriptions/play-billing.ts';

const START = '2026-01-31';
const DAY_ms = 86_400_000;
const ANSWERS: readonly Answer[] = ['paid', 'paid', 'paid', 'soft', 'late', 'hard'];

const anyRequest = fc
  .record({
    method: fc.constantFrom(...BILLING_METHODS),
    trialDays: fc.constantFrom(0, 1, 2, 7, 30),
    interval: fc.constantFrom('monthly' as const, 'quarterly' as const, 'weekly' as const),
    allowsRetries: fc.boolean(),
    prices: fc.array(fc.constantFrom(0, 500, 10_000), { minLength: 1, maxLength: 4 }),
  })
  .map(({ method, trialDays, interval: anyInterval, allowsRetries, prices }): NewBilling => {
    const { needsMandate } = billingRules(method);
    const interval = needsMandate || anyInterval !== 'weekly' ? anyInterval : 'monthly';
    const amount = (at: number) => (needsMandate ? 500 : prices[at]!);
    const ladder = prices.map((_, at) => ({
      start: at + 1,
      end: at === prices.length - 1 ? null : at + 1,
      amount_centavos: amount(at),
    }));
    const mandate = {
      state: 'created' as const,
      qrExpiresAt: new Date(afternoonOf(START).getTime() + 30 * 60_000),
      interval,
      recurringAmount_centavos: 500,
      minAmount_centavos: null,
      allowsRetries,
    };
    return monthlyCard(START, {
      method,
      trialDays,
      plan: { offerId: null, interval, ladder },
      mandate: needsMandate ? (trialDays > 0 ? { ...mandate, state: 'authorized' } : mandate) : null,
    });
  });

const anySeeds = fc.array(fc.nat(ANSWERS.length - 1), { minLength: 20, maxLength: 20 });
const acquirerOf =
  (seeds: readonly number[]) =>
  ({ cycle, number }: { cycle: number; number: number }): Answer =>
    ANSWERS[seeds[(cycle * 5 + number) % seeds.length]!]!;

/** What may never happen, whatever the steps and the answers. */
function assertSound(player: BillingPlayer, { plan, method }: NewBilling): void {
  const paid = player.charges.filter(({ answer }) => answer === 'paid').map(({ cycle }) => cycle);
  assert.equal(new Set(paid).size, paid.length, 'no cycle is paid twice');
  assert.deepEqual(player.billing.plan.ladder, plan.ladder, 'the ladder is frozen');
  for (const [, attempts] of Map.groupBy(player.charges, ({ cycle }) => cycle)) {
    const days = attempts.map(({ dueOn }) => dueOn);
    assert.equal(new Set(days).size, days.length, 'the attempts of a cycle are due on different days');
    if (!billingRules(method).needsMandate) continue;
    assert.ok(attempts.length <= 4, 'at most 3 retries');
    assert.ok(days.at(-1)! <= addDays(days[0]!, 7), 'within 7 days');
  }
  const cycles = [...new Set(player.charges.map(({ cycle }) => cycle))];
  assert.deepEqual(
    cycles,
    cycles.toSorted((one, other) => one - other),
    'cycles come in order',
  );
}

describe('the histories of a year', () => {
  it('have the same steps, however the clock is moved', () => {
    fc.assert(
      fc.property(
        anyRequest,
        anySeeds,
        fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1 }),
        (request, seeds, sizes) => {
          const end = new Date(afternoonOf(START).getTime() + 365 * DAY_ms);
          const play = () => new BillingPlayer(request, afternoonOf(START), acquirerOf(seeds));
          const [atOnce, inSteps] = [play().advanceTo(end), play()];
          for (let at = 0; inSteps.now < end; at += 1) {
            const size_ms = sizes[at % sizes.length]! * 7 * 3_600_000;
            inSteps.advanceTo(new Date(Math.min(inSteps.now.getTime() + size_ms, end.getTime())));
          }
          assert.deepEqual(inSteps.log, atOnce.log);
          assert.deepEqual(inSteps.events, atOnce.events);
          assert.deepEqual<Billing>(inSteps.billing, atOnce.billing);
          assertSound(atOnce, request);
        },
      ),
      { seed: 20_261_123, numRuns: 300 },
    );
  });

  it('pay no cycle twice when a worker comes late to every step', () => {
    fc.assert(
      fc.property(anyRequest, anySeeds, fc.integer({ min: 1, max: 400 }), (request, seeds, hours) => {
        const player = new BillingPlayer(request, afternoonOf(START), acquirerOf(seeds));
        const end_ms = player.now.getTime() + 365 * DAY_ms;
        while (player.now.getTime() < end_ms) {
          player.now = new Date(player.now.getTime() + hours * 3_600_000);
          player.runDue();
        }
        const paid = player.charges.filter(({ answer }) => answer === 'paid').map(({ cycle }) => cycle);
        assert.equal(new Set(paid).size, paid.length, 'no cycle is paid twice');
      }),
      { seed: 20_261_123, numRuns: 300 },
    );
  });
});
