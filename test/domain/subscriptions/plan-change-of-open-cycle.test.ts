/** A cycle that was opened before a change of the plan keeps its price, so later differences count from that price. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Plan } from '../../../domain/subscriptions/billing.ts';
import { changeMethod } from '../../../domain/subscriptions/change-method.ts';
import { changePlan, completeUpgrade } from '../../../domain/subscriptions/plan-change.ts';
import { card, NOW, pixRecurring, START } from '../../support/subscriptions/billing-players.ts';
import { priced, quoted } from '../../support/subscriptions/plan-changes.ts';
import { type BillingPlayer, waitingMandate } from '../../support/subscriptions/play-billing.ts';

/** Changes the plan at once. Returns the difference. */
function changeNow(player: BillingPlayer, target: Plan, today: string): number {
  const quote = quoted(player, target, 'immediate', today);
  player.apply(changePlan(player.billing, target, 'immediate', quote), 'change_plan');
  return quote.delta_centavos;
}

describe('a plan that is changed at once while a cycle is open', () => {
  it('gives no credit later for a price that was never charged', () => {
    const player = card(() => 'unknown', { method: 'bank_slip' });
    assert.equal(player.billing.status, 'payment_pending');
    assert.equal(changeNow(player, priced(90_000), START), 0);
    player.settle('paid');
    assert.deepEqual(
      player.charges.map(({ amount_centavos }) => amount_centavos),
      [10_000],
    );
    assert.equal(changeNow(player, priced(10_000), START), 0);
    assert.equal(player.billing.credit_centavos, 0);
  });

  it('has the prices of its ladder again from the next cycle on', () => {
    const player = card(({ cycle }) => (cycle === 1 ? 'unknown' : 'paid'), { method: 'bank_slip' });
    changeNow(player, priced(90_000), START);
    player.settle('paid');
    player.advanceThrough('2026-02-10');
    assert.equal(player.charges.at(-1)!.amount_centavos, 90_000);
    assert.equal(changeNow(player, priced(10_000), '2026-02-10'), -80_000);
  });

  it('is compared by the price of the open cycle also if the new plan has another interval', () => {
    const player = card(() => 'unknown', { method: 'bank_slip' });
    changeNow(player, priced(120_000, 'yearly'), START);
    player.settle('paid');
    assert.equal(changeNow(player, priced(10_000), START), 0);
    assert.equal(changeNow(player, priced(9_000), START), -1_000);
  });
});

describe('a plan that is changed at once after the next cycle was opened with a pending plan', () => {
  const dearer = priced(90_000);
  const withPendingPlan = (player: BillingPlayer, target: Plan) => {
    const change = changePlan(player.billing, target, 'next_cycle', { delta_centavos: 0 });
    player.apply(change, 'change_plan');
    return player;
  };

  it('is compared by the price that was paid, by boleto and by Pix recurring', () => {
    const boleto = withPendingPlan(card(undefined, { method: 'bank_slip' }), dearer);
    boleto.settle('paid');
    boleto.advanceThrough('2026-02-06');
    assert.equal(boleto.charges.at(-1)!.amount_centavos, 90_000);
    assert.equal(changeNow(boleto, priced(5_000), '2026-02-06'), -645);

    const pix = pixRecurring(undefined, { mandate: waitingMandate(NOW, { recurringAmount_centavos: null }) });
    withPendingPlan(pix, dearer).advanceThrough('2026-02-08');
    assert.equal(changeNow(pix, priced(5_000), '2026-02-08'), -323);
  });

  it('counts from the new price after another change at once', () => {
    const player = withPendingPlan(card(undefined, { method: 'bank_slip' }), dearer);
    player.settle('paid');
    player.advanceThrough('2026-02-06');
    changeNow(player, priced(5_000), '2026-02-06');
    assert.equal(changeNow(player, priced(4_000), '2026-02-06'), -129);
  });

  it('does not charge for the price of a cheaper pending plan', () => {
    const player = withPendingPlan(card(undefined, { method: 'bank_slip' }), priced(1_000));
    player.settle('paid');
    player.advanceThrough('2026-02-06');
    const byCard = { method: 'credit_card', mandate: null } as const;
    player.apply(changeMethod(player.billing, byCard, 'merchant', player.now), 'change_method');
    assert.equal(quoted(player, priced(10_000), 'immediate', '2026-02-06').delta_centavos, 0);
  });
});

describe('an upgrade whose charge is approved late', () => {
  const upgraded = priced(90_000);

  it('gives no credit for the price of a cycle that was paid meanwhile', () => {
    const player = card().advanceThrough('2026-02-10');
    assert.equal(player.billing.paidCycles, 2);
    player.apply(completeUpgrade(player.billing, upgraded, 1), 'complete_upgrade');
    assert.equal(player.billing.plan.offerId, upgraded.offerId);
    assert.equal(changeNow(player, priced(10_000), '2026-02-10'), 0);
  });

  it('counts from the new price in the cycle that it has paid for', () => {
    const player = card();
    player.apply(completeUpgrade(player.billing, upgraded, 1), 'complete_upgrade');
    assert.equal(changeNow(player, priced(10_000), START), -80_000);
  });
});
