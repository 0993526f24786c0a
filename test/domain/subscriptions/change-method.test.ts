import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Billing } from '../../../domain/subscriptions/billing.ts';
import {
  changeMethod,
  changeToMandate,
  methodChangeProblem,
  planOfRequestedMandate,
} from '../../../domain/subscriptions/change-method.ts';
import type { BillingChange } from '../../../domain/subscriptions/engine/change.ts';
import { nextCharge } from '../../../domain/subscriptions/engine/next-charge.ts';
import { rejectMandate } from '../../../domain/subscriptions/mandate-outcome.ts';
import { beyondMandate } from '../../../domain/subscriptions/mandate-terms.ts';
import type { BillingMethod } from '../../../domain/subscriptions/methods/names.ts';
import { chargeOverdueCycle } from '../../../domain/subscriptions/reactivate-billing.ts';
import { SUBSCRIPTION_STATUSES } from '../../../domain/subscriptions/subscription-status.ts';
import { card, NOW, pixRecurring, START } from '../../support/subscriptions/billing-players.ts';
import {
  type Acquirer,
  type BillingPlayer,
  waitingMandate,
} from '../../support/subscriptions/play-billing.ts';

const authorized = waitingMandate(NOW, { state: 'authorized' });

function change(player: BillingPlayer, method: BillingMethod): BillingChange {
  player.events.length = 0;
  const mandate = method === 'pix_recurring' ? authorized : null;
  const by = mandate === null ? 'merchant' : 'acquirer';
  const changed = changeMethod(player.billing, { method, mandate }, by, player.now);
  player.apply(changed, 'change_method');
  return changed;
}

function chargeOverdue(player: BillingPlayer): void {
  player.apply(chargeOverdueCycle(player.billing, player.now)!, 'charge_overdue');
}

describe('a change of the payment method', () => {
  it('is possible in every status but canceled, ended and completed', () => {
    const { billing } = card();
    const closed = SUBSCRIPTION_STATUSES.filter(
      (status) => methodChangeProblem({ ...billing, status }, 'credit_card')?.about === 'status',
    );
    assert.deepEqual(closed, ['canceled', 'ended', 'completed']);
  });

  it('of a weekly subscription is possible to Pix recurring only', () => {
    const { billing } = card();
    const weekly = { ...billing, plan: { ...billing.plan, interval: 'weekly' as const } };
    for (const method of ['credit_card', 'browser_wallet', 'bank_slip', 'pix'] as const) {
      assert.equal(methodChangeProblem(weekly, method)?.about, 'method');
    }
    assert.equal(methodChangeProblem(weekly, 'pix_recurring'), null);
  });

  it('gives the status of the new method, with one event', () => {
    const player = card();
    change(player, 'pix_recurring');
    assert.equal(player.billing.status, 'payment_approved');
    assert.deepEqual(player.events, ['subscription.updated']);
    change(player, 'credit_card');
    assert.equal(player.billing.status, 'active');
    assert.equal(player.billing.mandate, null);
  });

  it('does not move the billing date, and the new method charges in its own way', () => {
    const player = card();
    change(player, 'pix_recurring');
    player.advanceThrough('2026-02-10');
    const { createdOn, dueOn } = player.charges.at(-1)!;
    assert.deepEqual([createdOn, dueOn], ['2026-02-07', '2026-02-10']);
  });

  it('withdraws a boleto that was issued ahead, and the card is charged on the billing date', () => {
    const player = card(undefined, { method: 'bank_slip' }).advanceThrough('2026-02-06');
    assert.deepEqual(change(player, 'credit_card').payment, { kind: 'withdraw', cycle: 2 });
    player.advanceThrough('2026-02-10');
    assert.deepEqual(
      player.charges.slice(1).map(({ createdOn }) => createdOn),
      ['2026-02-05', '2026-02-10'],
    );
    assert.equal(player.log.at(-2), '10/02/2026 06:00 attempt');
    assert.equal(player.billing.paidCycles, 2);
  });

  it('keeps a Pix recurring charge that can no longer be withdrawn', () => {
    const player = pixRecurring().advanceThrough('2026-02-09');
    assert.equal(change(player, 'credit_card').payment, null);
    player.advanceThrough('2026-02-10');
    assert.equal(player.charges.length, 2);
    assert.equal(player.billing.paidCycles, 2);
    assert.equal(player.billing.status, 'active');
  });

  it('starts a trial that waited for a mandate, and withdraws the payment of 0', () => {
    const player = pixRecurring(undefined, { trialDays: 7 });
    assert.deepEqual(change(player, 'credit_card').payment, { kind: 'withdraw', cycle: null });
    assert.equal(player.billing.status, 'trial_started');
    player.advanceThrough('2026-01-17');
    assert.deepEqual(
      player.charges.map(({ createdOn }) => createdOn),
      ['2026-01-17'],
    );
    assert.equal(player.billing.status, 'active');
  });
});

describe('a first cycle with another payment method', () => {
  it('is charged to a card after the payer refused to authorize a mandate by it', () => {
    const player = pixRecurring(() => 'soft');
    player.apply(rejectMandate(player.billing)!, 'reject');
    change(player, 'credit_card');
    assert.equal(player.billing.status, 'payment_pending');
    const approving = card();
    approving.billing = player.billing;
    approving.invoices.set(1, 'open');
    approving.advanceThrough(START);
    assert.deepEqual([approving.billing.status, approving.billing.paidCycles], ['active', 1]);
  });

  it('is due in 3 days if it is paid by another boleto or Pix', () => {
    const player = card(() => 'unknown', { method: 'bank_slip' });
    change(player, 'pix');
    player.advanceThrough(START);
    assert.deepEqual(
      player.charges.map(({ dueOn }) => dueOn),
      ['2026-01-13', '2026-01-13'],
    );
  });
});

describe('an overdue cycle with a new means of payment', () => {
  const failing =
    (attempts: number): Acquirer =>
    ({ cycle, number }) =>
      cycle === 2 && number <= attempts ? 'soft' : 'paid';

  it('is charged at once', () => {
    for (const [day, status] of [
      ['2026-02-12', 'past_due'],
      ['2026-02-25', 'unpaid'],
    ] as const) {
      const player = card(failing(day === '2026-02-12' ? 2 : 5)).advanceThrough(day);
      assert.equal(player.billing.status, status);
      change(player, 'credit_card');
      chargeOverdue(player);
      assert.equal(player.billing.status, 'active');
      assert.equal(player.charges.at(-1)!.createdOn, day);
      assert.equal(player.invoices.get(2), 'paid');
      assert.equal(nextCharge(player.billing)?.on, '2026-03-10');
    }
  });

  it('of a subscription that was refused at creation is charged at once too', () => {
    const player = card(({ number }) => (number === 1 ? 'soft' : 'paid'));
    assert.equal(player.billing.status, 'payment_refused');
    change(player, 'credit_card');
    chargeOverdue(player);
    assert.equal(player.billing.status, 'active');
  });

  it('counts the days of the retries again if it is past due', () => {
    const player = card(failing(4)).advanceThrough('2026-02-14');
    assert.equal(player.charges.length, 4);
    change(player, 'credit_card');
    chargeOverdue(player);
    player.advanceThrough('2026-02-15');
    assert.equal(player.billing.status, 'active');
    const past = card(failing(20)).advanceThrough('2026-02-14');
    change(past, 'credit_card');
    chargeOverdue(past);
    past.advanceThrough('2026-12-31');
    assert.deepEqual(
      past.charges.slice(4).map(({ createdOn }) => createdOn),
      ['2026-02-14', '2026-02-15', '2026-02-17', '2026-02-19', '2026-02-21'],
    );
  });

  it('stays unpaid without retries if it was given up and the new card is refused', () => {
    const player = card(failing(20)).advanceThrough('2026-02-25');
    change(player, 'credit_card');
    player.events.length = 0;
    chargeOverdue(player);
    assert.deepEqual(player.events, ['subscription.charge_failed']);
    player.advanceThrough('2026-12-31');
    assert.equal(player.billing.status, 'unpaid');
    assert.equal(player.charges.length, 7);
  });

  it('is not charged if nothing is overdue, or if its payment is under way', () => {
    assert.equal(chargeOverdueCycle(card().billing, NOW), null);
    const player = card(({ cycle, number }) => (cycle === 2 ? (number === 1 ? 'soft' : 'unknown') : 'paid'));
    player.advanceThrough('2026-02-11');
    assert.equal(player.billing.status, 'past_due');
    assert.equal(chargeOverdueCycle(player.billing, player.now), null);
  });

  it('of Pix recurring that was refused before its billing date is charged to a card on that date', () => {
    const player = pixRecurring(({ cycle }) => (cycle === 2 ? 'unknown' : 'paid')).advanceThrough(
      '2026-02-08',
    );
    player.settle('soft');
    assert.equal(player.billing.status, 'payment_refused');
    change(player, 'credit_card');
    assert.equal(chargeOverdueCycle(player.billing, player.now), null);
    player.advanceThrough('2026-02-09');
    assert.equal(player.charges.length, 2);
    player.advanceThrough('2026-02-10');
    assert.deepEqual([player.charges.length, player.charges.at(-1)!.dueOn], [3, '2026-02-10']);
  });

  it('of Pix recurring is recovered by a new mandate, due in 3 days', () => {
    const player = pixRecurring(failing(4)).advanceThrough('2026-02-20');
    assert.equal(player.billing.status, 'payment_refused');
    change(player, 'pix_recurring');
    chargeOverdue(player);
    player.advanceThrough('2026-02-23');
    assert.equal(player.charges.at(-1)!.dueOn, '2026-02-23');
    assert.equal(player.billing.status, 'payment_approved');
  });
});

describe('a change to Pix recurring that the payer has authorized', () => {
  const waiting = { method: 'pix_recurring', terms: waitingMandate(NOW), plan: null } as const;

  it('makes the mandate the means of payment', () => {
    const { billing, payment } = changeToMandate(card().billing, waiting, NOW, true);
    assert.deepEqual(
      [billing.method, billing.status, billing.mandate?.state, payment],
      ['pix_recurring', 'payment_approved', 'authorized', null],
    );
  });

  it('charges an overdue cycle, due in 3 days, in place of the next retry', () => {
    const player = card(({ cycle }) => (cycle === 2 ? 'soft' : 'paid')).advanceThrough('2026-02-12');
    const { openCycle } = changeToMandate(player.billing, waiting, player.now, true).billing;
    assert.deepEqual(openCycle?.next, { createOn: '2026-02-12', dueOn: '2026-02-15' });
    assert.deepEqual([openCycle?.failures, openCycle?.attempt], [0, null]);
  });

  it('needs a mandate that allows the open cycle and the prices that follow, and no earlier ones', () => {
    const ladder = [
      { start: 1, end: 1, amount_centavos: 100 },
      { start: 2, end: 2, amount_centavos: 200 },
      { start: 3, end: null, amount_centavos: 300 },
    ];
    const billing = { ...card().billing, plan: { offerId: null, interval: 'monthly' as const, ladder } };
    const pricesOf = (of: Billing) =>
      planOfRequestedMandate(of, null, NOW).ladder.map((band) => band.amount_centavos);
    assert.deepEqual(pricesOf(billing), [200, 300]);
    const player = card(({ cycle }) => (cycle === 2 ? 'soft' : 'paid')).advanceThrough('2026-02-12');
    const { openCycle } = player.billing;
    assert.deepEqual(pricesOf({ ...billing, openCycle }), [10_000, 300]);
    const pendingPlan = { offerId: null, interval: 'yearly' as const, ladder };
    assert.equal(planOfRequestedMandate({ ...billing, pendingPlan }, null, NOW).interval, 'yearly');
  });
});

describe('the terms of a mandate', () => {
  const plan = (...prices: number[]) => ({
    interval: 'monthly' as const,
    ladder: prices.map((amount_centavos, at) => ({ start: at + 1, end: at + 1, amount_centavos })),
  });
  const terms = { interval: 'monthly' as const, recurringAmount_centavos: null, minAmount_centavos: null };

  it('with a fixed amount allow that one price only', () => {
    const fixed = { ...terms, recurringAmount_centavos: 500 };
    assert.equal(beyondMandate(fixed, plan(500, 500)), null);
    assert.equal(beyondMandate(fixed, plan(500, 501)), 'amount');
    assert.equal(beyondMandate(fixed, plan(499)), 'amount');
  });

  it('with a minimum allow no lower price', () => {
    const floor = { ...terms, minAmount_centavos: 500 };
    assert.equal(beyondMandate(floor, plan(500, 9_000)), null);
    assert.equal(beyondMandate(floor, plan(900, 499)), 'amount');
  });

  it('without an amount allow every price, of the same interval', () => {
    assert.equal(beyondMandate(terms, plan(1, 1_000_000)), null);
    assert.equal(beyondMandate(terms, { ...plan(1), interval: 'quarterly' }), 'interval');
  });
});
