/** Changes of the plan between the payment of a cycle and its billing date: a boleto or a Pix can be paid early. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { changeMethod } from '../../../domain/subscriptions/change-method.ts';
import { card } from '../../support/subscriptions/billing-players.ts';
import { change, priced, quoted } from '../../support/subscriptions/plan-changes.ts';
import type { BillingPlayer } from '../../support/subscriptions/play-billing.ts';

/** The boleto of the third cycle, from 10 March to 10 April, is issued on this day, and paid when a test says so. */
const ISSUED = '2026-03-05';
const waiting = () =>
  card(({ cycle }) => (cycle === 3 ? 'unknown' : 'paid'), { method: 'bank_slip' }).advanceThrough(
    '2026-03-01',
  );

function paidEarly(player: BillingPlayer): BillingPlayer {
  player.advanceThrough(ISSUED).settle('paid');
  assert.equal(player.billing.paidPeriod?.start, '2026-03-10');
  return player;
}

const deltaNow = (player: BillingPlayer, amount: number) =>
  change(player, priced(amount), 'immediate', ISSUED).delta_centavos;

describe('a plan that is changed at once before the paid cycle begins', () => {
  it('counts all days until the next charge', () => {
    const player = paidEarly(waiting());
    assert.equal(deltaNow(player, 5_000), -5_806, '36 of 31 days');
    assert.equal(player.billing.credit_centavos, 5_806);
    const byCard = { method: 'credit_card', mandate: null } as const;
    player.apply(changeMethod(player.billing, byCard, 'merchant', player.now), 'change_method');
    assert.equal(quoted(player, priced(10_000), 'immediate', ISSUED).delta_centavos, 5_806);
  });

  it('does not count the days of the trial before the first cycle', () => {
    const player = card(() => 'unknown', { method: 'bank_slip', trialDays: 14 });
    player.advanceThrough('2026-01-19').settle('paid');
    assert.equal(player.billing.paidPeriod?.start, '2026-01-24');
    assert.equal(quoted(player, priced(5_000), 'immediate', '2026-01-19').delta_centavos, -5_000);
    assert.equal(quoted(player, priced(5_000), 'immediate', '2026-01-25').delta_centavos, -4_839);
  });

  it('does not count days that the plan before has paid', () => {
    const player = waiting();
    change(player, priced(15_000), 'next_cycle', '2026-03-01');
    paidEarly(player);
    assert.equal(player.billing.plan.offerId, 'monthly 15000');
    assert.equal(deltaNow(player, 10_000), -5_000);
    assert.equal(deltaNow(player, 9_000), -1_000);
  });

  it('does not count days that were free or had another price', () => {
    for (const first of [0, 990]) {
      const ladder = [
        { start: 1, end: 2, amount_centavos: first },
        { start: 3, end: null, amount_centavos: 10_000 },
      ];
      const plan = { ...priced(10_000), ladder };
      const player = card(({ cycle }) => (cycle === 3 ? 'unknown' : 'paid'), { method: 'bank_slip', plan });
      paidEarly(player);
      assert.equal(deltaNow(player, 5_000), -5_000, String(first));
      assert.equal(deltaNow(player, 4_000), -1_000, String(first));
    }
  });

  it('does not credit days again that were credited while the cycle was open', () => {
    const player = waiting();
    assert.equal(deltaNow(player, 5_000), -893, '5 of the 28 days of the second cycle');
    paidEarly(player);
    assert.equal(deltaNow(player, 5_000), -5_000, 'the third cycle was charged the old price');
    assert.equal(deltaNow(player, 4_000), -1_000);
  });
});
