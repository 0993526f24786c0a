/** Charges that fail after their subscription was canceled. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { stepTime } from '../../../domain/subscriptions/billing-dates.ts';
import { cancelBilling } from '../../../domain/subscriptions/cancel-billing.ts';
import { nextCharge } from '../../../domain/subscriptions/engine/next-charge.ts';
import { reactivateBilling, reactivationProblem } from '../../../domain/subscriptions/reactivate-billing.ts';
import { revokeBilling } from '../../../domain/subscriptions/revoke-billing.ts';
import { card } from '../../support/subscriptions/billing-players.ts';
import { change, charged, priced } from '../../support/subscriptions/plan-changes.ts';
import type { Acquirer, BillingPlayer } from '../../support/subscriptions/play-billing.ts';

/** The second cycle fails once, and its second charge has no answer. */
const refusedThenUnknown: Acquirer = ({ cycle, number }) => {
  if (cycle !== 2 || number > 2) return 'paid';
  return number === 1 ? 'soft' : 'unknown';
};

/** Cancels a subscription whose charge stays under way. */
function cancel(player: BillingPlayer): BillingPlayer {
  player.apply(cancelBilling(player.billing, 'merchant', player.now, false), 'cancel');
  return player;
}

function reactivate(player: BillingPlayer): void {
  assert.equal(reactivationProblem(player.billing, player.now), null);
  player.apply(reactivateBilling(player.billing, player.now), 'reactivate');
}

const canceledInRetry = () => cancel(card(refusedThenUnknown).advanceThrough('2026-02-11'));

describe('a charge of an overdue cycle that fails after the cancellation', () => {
  for (const outcome of ['soft', 'hard', 'unsent'] as const) {
    it(`leaves the cycle to a reactivation, which charges it at once (${outcome})`, () => {
      const player = canceledInRetry();
      player.settle(outcome);
      assert.equal(player.events.at(-1), 'subscription.charge_failed');
      assert.deepEqual([player.billing.status, player.invoices.get(2)], ['canceled', 'past_due']);
      assert.equal(nextCharge(player.billing)?.on, '2026-02-10');
      reactivate(player);
      player.runDue();
      assert.deepEqual(charged(player).slice(1), [
        '2: 2026-02-10 10000',
        '2: 2026-02-11 10000',
        '2: 2026-02-11 10000',
      ]);
      assert.deepEqual(player.events.slice(-3), [
        'subscription.charge_succeeded',
        'subscription.activated',
        'subscription.updated',
      ]);
    });
  }

  it('leaves the cycle overdue also if it is the first charge of the cycle', () => {
    const player = cancel(
      card(({ cycle }) => (cycle === 2 ? 'unknown' : 'paid')).advanceThrough('2026-02-10'),
    );
    assert.equal(player.invoices.get(2), 'open');
    player.settle('soft');
    assert.deepEqual([player.billing.status, player.invoices.get(2)], ['canceled', 'past_due']);
    reactivate(player);
    player.advanceThrough('2026-02-11');
    player.settle('paid');
    assert.deepEqual(player.events.slice(-2), ['subscription.activated', 'subscription.updated']);
  });

  it('leaves the cycle its price', () => {
    const player = canceledInRetry();
    player.settle('soft');
    reactivate(player);
    change(player, priced(15_000), 'next_cycle', '2026-02-11');
    player.advanceThrough('2026-03-10');
    assert.deepEqual(charged(player).slice(3), ['2: 2026-02-11 10000', '3: 2026-03-10 15000']);
  });

  it('leaves the cycle also if it is a boleto that could not be canceled', () => {
    const acquirer: Acquirer = ({ cycle, number }) => (cycle === 2 && number === 1 ? 'late' : 'unknown');
    const player = card(acquirer, { method: 'bank_slip' });
    player.settle('paid');
    cancel(player.advanceThrough('2026-02-12'));
    assert.equal(player.charges.at(-1)!.dueOn, '2026-02-14');
    player.advanceThrough('2026-02-16');
    player.settle('late');
    assert.deepEqual([player.billing.status, player.invoices.get(2)], ['canceled', 'past_due']);
    reactivate(player);
    player.runDue();
    assert.equal(charged(player).at(-1), '2: 2026-02-16 10000');
    player.settle('paid');
    assert.deepEqual(player.events.slice(-2), ['subscription.activated', 'subscription.updated']);
  });

  it('leaves the cycle until the end, when its invoice is voided and its credit is given back', () => {
    const player = card(refusedThenUnknown).advanceThrough('2026-01-20');
    player.billing = { ...player.billing, credit_centavos: 3_000 };
    cancel(player.advanceThrough('2026-02-11')).settle('soft');
    assert.deepEqual(player.billing.endsAt, stepTime('2026-03-13'));
    assert.equal(player.billing.credit_centavos, 0);
    player.advanceThrough('2026-12-31');
    assert.equal(player.log.at(-1), '13/03/2026 06:00 end');
    assert.deepEqual([player.invoices.get(2), player.billing.credit_centavos], ['void', 3_000]);
    assert.equal(player.charges.length, 3);
  });
});

it('an overdue cycle whose first charge was canceled, too, is past due after a reactivation', () => {
  const acquirer: Acquirer = ({ cycle }) => (cycle === 2 ? 'unknown' : 'paid');
  const player = card(acquirer, { method: 'bank_slip' }).advanceThrough('2026-02-10');
  player.apply(cancelBilling(player.billing, 'merchant', player.now), 'cancel');
  assert.deepEqual([player.billing.openCycle?.attempt, player.invoices.get(2)], [null, 'open']);
  reactivate(player);
  assert.equal(player.invoices.get(2), 'past_due');
  player.advanceThrough('2026-02-11');
  player.settle('paid');
  assert.deepEqual(player.events.slice(-2), ['subscription.activated', 'subscription.updated']);
});

describe('a charge that fails after the cancellation voids its cycle', () => {
  it('before the billing date', () => {
    const acquirer: Acquirer = ({ cycle }) => (cycle === 2 ? 'unknown' : 'paid');
    const player = cancel(card(acquirer, { method: 'bank_slip' }).advanceThrough('2026-02-09'));
    player.settle('soft');
    assert.deepEqual([player.invoices.get(2), player.billing.openCycle], ['void', null]);
  });

  it('if the subscription has ended', () => {
    const player = card(refusedThenUnknown).advanceThrough('2026-02-11');
    player.apply(revokeBilling(player.billing, 1, player.now)!, 'revoke');
    player.settle('soft');
    assert.deepEqual([player.billing.status, player.invoices.get(2)], ['ended', 'void']);
    assert.equal(player.billing.openCycle, null);
  });
});
