import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nextCharge } from '../../../domain/subscriptions/engine/next-charge.ts';
import { afternoonOf, BillingPlayer, monthlyCard } from '../../support/subscriptions/play-billing.ts';

const failing =
  (cycle: number, ...answers: readonly ('soft' | 'hard')[]) =>
  (attempt: { cycle: number; number: number }) =>
    attempt.cycle === cycle ? (answers[attempt.number - 1] ?? 'paid') : 'paid';

const created = (player: BillingPlayer) => player.charges.map(({ createdOn }) => createdOn);

describe('a card subscription', () => {
  it('is charged at creation, and then at 06:00 of each billing date', () => {
    const player = new BillingPlayer(monthlyCard('2026-01-31'), afternoonOf('2026-01-31'));
    assert.deepEqual(player.events, [
      'subscription.charge_succeeded',
      'subscription.activated',
      'subscription.updated',
    ]);
    player.advanceThrough('2026-04-30');
    assert.deepEqual(player.log, [
      '31/01/2026 15:00 create',
      '31/01/2026 15:00 paid',
      '28/02/2026 06:00 open_cycle',
      '28/02/2026 06:00 paid',
      '31/03/2026 06:00 open_cycle',
      '31/03/2026 06:00 paid',
      '30/04/2026 06:00 open_cycle',
      '30/04/2026 06:00 paid',
    ]);
    assert.equal(player.billing.paidCycles, 4);
    assert.deepEqual(nextCharge(player.billing), {
      on: '2026-05-31',
      amount_centavos: 10_000,
      charged_centavos: 10_000,
    });
  });

  it('that is refused at creation is retried 1, 3, 5 and 7 days later, and is then unpaid', () => {
    const player = new BillingPlayer(monthlyCard('2026-03-10'), afternoonOf('2026-03-10'), () => 'soft');
    assert.equal(player.billing.status, 'payment_refused');
    player.advanceThrough('2026-12-31');
    assert.deepEqual(created(player), ['2026-03-10', '2026-03-11', '2026-03-13', '2026-03-15', '2026-03-17']);
    assert.equal(player.billing.status, 'unpaid');
    assert.equal(player.billing.openCycle?.invoice, 'uncollectible');
    assert.equal(nextCharge(player.billing)?.on, '2026-03-10');
  });

  it('becomes past due after a refused renewal, and active by a retry, without a move of its dates', () => {
    const acquirer = failing(2, 'soft', 'soft');
    const player = new BillingPlayer(monthlyCard('2026-01-31'), afternoonOf('2026-01-31'), acquirer);
    player.advanceThrough('2026-02-28');
    assert.equal(player.billing.status, 'past_due');
    assert.equal(nextCharge(player.billing)?.on, '2026-03-01');
    player.advanceThrough('2026-03-31');
    assert.equal(player.billing.status, 'active');
    assert.deepEqual(created(player), ['2026-01-31', '2026-02-28', '2026-03-01', '2026-03-03', '2026-03-31']);
    assert.deepEqual(player.events.slice(3, 9), [
      'subscription.charge_failed',
      'subscription.past_due',
      'subscription.charge_failed',
      'subscription.charge_succeeded',
      'subscription.activated',
      'subscription.updated',
    ]);
  });

  it('is charged again at once after the first charge that is never received, also if others were not before a refusal', () => {
    const answers = [...Array(20).fill('unsent'), 'soft', 'unsent'];
    const player = new BillingPlayer(
      monthlyCard('2026-01-10'),
      afternoonOf('2026-01-10'),
      ({ cycle, number }) => (cycle === 2 ? (answers[number - 1] ?? 'paid') : 'paid'),
    );
    player.advanceThrough('2026-03-01');
    assert.deepEqual(player.log.slice(-5), [
      '10/02/2026 20:03 soft',
      '11/02/2026 06:00 attempt',
      '11/02/2026 06:00 unsent',
      '11/02/2026 06:00 attempt',
      '11/02/2026 06:00 paid',
    ]);
  });

  it('is unpaid at once after a refusal for good', () => {
    const player = new BillingPlayer(
      monthlyCard('2026-01-10'),
      afternoonOf('2026-01-10'),
      failing(2, 'hard'),
    );
    player.advanceThrough('2026-12-31');
    assert.equal(player.billing.status, 'unpaid');
    assert.deepEqual(player.events.slice(3), ['subscription.charge_failed', 'subscription.unpaid']);
    assert.equal(player.charges.length, 2);
  });

  it('is first charged after its trial, and is past due if that charge is refused', () => {
    const request = monthlyCard('2026-01-10', { trialDays: 14 });
    const player = new BillingPlayer(request, afternoonOf('2026-01-10'), failing(1, 'soft'));
    assert.equal(player.billing.status, 'trial_started');
    player.advanceThrough('2026-01-24');
    assert.equal(player.billing.status, 'past_due');
    player.advanceThrough('2026-02-24');
    assert.deepEqual(created(player), ['2026-01-24', '2026-01-25', '2026-02-24']);
  });

  it('completes when the last period of a finite ladder has ended', () => {
    const plan = {
      offerId: null,
      interval: 'monthly' as const,
      ladder: [{ start: 1, end: 2, amount_centavos: 500 }],
    };
    const player = new BillingPlayer(monthlyCard('2026-01-10', { plan }), afternoonOf('2026-01-10'));
    player.advanceThrough('2026-03-09');
    assert.equal(player.billing.status, 'active');
    assert.equal(nextCharge(player.billing), null);
    player.advanceThrough('2026-03-10');
    assert.equal(player.billing.status, 'completed');
    assert.equal(player.charges.length, 2);
  });

  it('pays a free cycle without a payment', () => {
    const ladder = [
      { start: 1, end: 1, amount_centavos: 0 },
      { start: 2, end: null, amount_centavos: 700 },
    ];
    const plan = { offerId: null, interval: 'monthly' as const, ladder };
    const player = new BillingPlayer(monthlyCard('2026-01-10', { plan }), afternoonOf('2026-01-10'));
    assert.equal(player.billing.status, 'active');
    assert.equal(player.charges.length, 0);
    player.advanceThrough('2026-02-10');
    assert.deepEqual(
      player.charges.map(({ cycle, amount_centavos }) => [cycle, amount_centavos]),
      [[2, 700]],
    );
  });
});
