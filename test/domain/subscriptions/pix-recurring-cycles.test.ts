import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { BillingChange } from '../../../domain/subscriptions/engine/change.ts';
import { nextCharge } from '../../../domain/subscriptions/engine/next-charge.ts';
import { settleAttempt } from '../../../domain/subscriptions/engine/settle-attempt.ts';
import { authorizeMandate, rejectMandate } from '../../../domain/subscriptions/mandate-outcome.ts';
import { chargeDates, NOW, pixRecurring } from '../../support/subscriptions/billing-players.ts';
import {
  type Acquirer,
  type BillingPlayer,
  waitingMandate,
} from '../../support/subscriptions/play-billing.ts';

const minutesLater = (player: BillingPlayer, minutes: number) =>
  player.advanceTo(new Date(player.now.getTime() + minutes * 60_000));
const withTrial = (trialDays: number) => {
  const player = pixRecurring(undefined, { trialDays });
  player.apply(authorizeMandate(player.billing)!, 'authorize');
  return player;
};
const refusing =
  (cycle: number, refusals: number): Acquirer =>
  (attempt) =>
    attempt.cycle === cycle && attempt.number <= refusals ? 'soft' : 'paid';

describe('a Pix recurring subscription whose first payment authorizes the mandate', () => {
  it('waits for the payer, and is then approved', () => {
    const player = pixRecurring(() => 'unknown');
    assert.equal(player.billing.status, 'payment_pending');
    assert.deepEqual(chargeDates(player), ['1: 2026-01-10, due 2026-01-10']);
    minutesLater(player, 10).settle('paid');
    assert.equal(player.billing.status, 'payment_approved');
    assert.equal(player.billing.mandate?.state, 'authorized');
  });

  it('ends after 30 minutes if the payer does not pay', () => {
    const player = pixRecurring(() => 'unknown');
    minutesLater(player, 29);
    assert.equal(player.billing.status, 'payment_pending');
    minutesLater(player, 1);
    assert.equal(player.log.at(-1), '10/01/2026 15:30 expire_mandate');
    assert.equal(player.billing.status, 'ended');
    assert.equal(player.billing.mandate?.state, 'expired');
    assert.equal(player.invoices.get(1), 'void');
    assert.deepEqual(player.events, ['subscription.ended']);
  });

  it('ends after 30 minutes if the payer authorizes the mandate and does not pay', () => {
    const player = pixRecurring(() => 'unknown');
    assert.equal(authorizeMandate(player.billing), null);
    const outcome = { now: player.now, dunningDays: [] };
    player.apply(settleAttempt(player.billing, { kind: 'expired' }, outcome), 'expired');
    assert.equal(player.billing.status, 'ended');
    assert.equal(player.invoices.get(1), 'void');
    assert.deepEqual(player.events, ['subscription.ended']);
  });

  it('is not retried after a refusal, and ends when the QR code expires, without another move of the payment', () => {
    const player = pixRecurring(() => 'soft');
    assert.equal(player.billing.status, 'payment_pending');
    const actions: BillingChange['payment'][] = [];
    const apply = player.apply.bind(player);
    player.apply = (change, what) => {
      actions.push(change.payment);
      apply(change, what);
    };
    minutesLater(player, 30);
    assert.equal(player.billing.status, 'ended');
    assert.deepEqual(actions, [null]);
    assert.equal(player.charges.length, 1);
    assert.deepEqual(player.events, ['subscription.charge_failed', 'subscription.ended']);
  });

  it('is charged 3 days ahead, and the charge is sent 2 days ahead and paid at 06:00 of the billing date', () => {
    const player = pixRecurring().advanceThrough('2026-02-10');
    assert.deepEqual(player.log, [
      '10/01/2026 15:00 create',
      '10/01/2026 15:00 paid',
      '07/02/2026 06:00 open_cycle',
      '08/02/2026 06:00 send',
      '10/02/2026 06:00 paid',
    ]);
    assert.deepEqual(chargeDates(player)[1], '2: 2026-02-07, due 2026-02-10');
    assert.deepEqual(player.events.slice(3), ['subscription.charge_succeeded', 'subscription.updated']);
  });

  it('is charged weekly or yearly too', () => {
    const plan = (interval: 'weekly' | 'yearly') => ({
      plan: { offerId: null, interval, ladder: [{ start: 1, end: null, amount_centavos: 10_000 }] },
    });
    assert.deepEqual(
      chargeDates(pixRecurring(undefined, plan('weekly')).advanceThrough('2026-01-24')).slice(0, 3),
      ['1: 2026-01-10, due 2026-01-10', '2: 2026-01-14, due 2026-01-17', '3: 2026-01-21, due 2026-01-24'],
    );
    assert.equal(
      chargeDates(pixRecurring(undefined, plan('yearly')).advanceThrough('2027-01-10'))[1],
      '2: 2027-01-07, due 2027-01-10',
    );
  });
});

describe('a Pix recurring subscription with a trial', () => {
  it('starts the trial when the payer authorizes the mandate, and is approved by the first charge', () => {
    const player = pixRecurring(undefined, { trialDays: 7 });
    assert.equal(player.billing.status, 'payment_pending');
    assert.equal(player.charges.length, 0);
    minutesLater(player, 5).apply(authorizeMandate(player.billing)!, 'authorize');
    assert.equal(player.billing.status, 'trial_started');
    assert.deepEqual(player.events, ['subscription.updated']);
    player.advanceThrough('2026-01-17');
    assert.deepEqual(player.log.slice(2), [
      '14/01/2026 06:00 open_cycle',
      '15/01/2026 06:00 send',
      '17/01/2026 06:00 paid',
    ]);
    assert.equal(player.billing.status, 'payment_approved');
  });

  it('takes the steps of a trial of 1 day as soon as it can', () => {
    const player = withTrial(1).advanceThrough('2026-01-11');
    assert.deepEqual(chargeDates(player), ['1: 2026-01-10, due 2026-01-11']);
    assert.deepEqual(player.log.slice(1), [
      '10/01/2026 15:00 authorize',
      '10/01/2026 15:00 open_cycle',
      '11/01/2026 06:00 paid',
    ]);
  });

  it('ends after 30 minutes without an authorization, and a later one changes nothing', () => {
    const player = minutesLater(pixRecurring(undefined, { trialDays: 7 }), 30);
    assert.equal(player.billing.status, 'ended');
    assert.equal(authorizeMandate(player.billing), null);
    assert.equal(rejectMandate(player.billing), null);
  });

  it('ends when the QR code expires if the mandate was rejected', () => {
    const player = pixRecurring(undefined, { trialDays: 7 });
    player.apply(rejectMandate(player.billing)!, 'reject');
    assert.equal(player.billing.status, 'payment_pending');
    assert.equal(authorizeMandate(player.billing), null);
    minutesLater(player, 30);
    assert.equal(player.billing.status, 'ended');
    assert.equal(player.billing.mandate?.state, 'rejected');
  });

  it('is refused, not past due, if the first charge after the trial is refused', () => {
    const player = pixRecurring(refusing(1, 1), { trialDays: 7 });
    player.apply(authorizeMandate(player.billing)!, 'authorize');
    player.advanceThrough('2026-01-17');
    assert.equal(player.billing.status, 'payment_refused');
    assert.deepEqual(player.events.slice(1), ['subscription.charge_failed', 'subscription.past_due']);
  });
});

describe('a Pix recurring subscription whose first cycle is free', () => {
  it('waits for the mandate, and pays the free cycle without a payment', () => {
    const ladder = [
      { start: 1, end: 1, amount_centavos: 0 },
      { start: 2, end: null, amount_centavos: 700 },
    ];
    const player = pixRecurring(undefined, { plan: { offerId: null, interval: 'monthly', ladder } });
    assert.equal(player.billing.status, 'payment_pending');
    player.apply(authorizeMandate(player.billing)!, 'authorize');
    player.advanceThrough('2026-02-10');
    assert.equal(player.billing.status, 'payment_approved');
    assert.deepEqual(chargeDates(player), ['2: 2026-02-07, due 2026-02-10']);
  });
});

describe('a refused charge of Pix recurring', () => {
  it('is retried 1, 3 and 7 days after the due date, then never again', () => {
    const player = pixRecurring(refusing(2, 9)).advanceThrough('2026-12-31');
    assert.deepEqual(chargeDates(player).slice(1), [
      '2: 2026-02-07, due 2026-02-10',
      '2: 2026-02-10, due 2026-02-11',
      '2: 2026-02-11, due 2026-02-13',
      '2: 2026-02-14, due 2026-02-17',
    ]);
    assert.ok(player.charges.every(({ amount_centavos }) => amount_centavos === 10_000));
    assert.equal(player.billing.status, 'payment_refused');
    assert.equal(nextCharge(player.billing)?.on, '2026-02-10');
    assert.deepEqual(player.events.slice(3), [
      ...['subscription.charge_failed', 'subscription.past_due'],
      ...['subscription.charge_failed', 'subscription.charge_failed'],
      ...['subscription.charge_failed', 'subscription.unpaid'],
    ]);
  });

  it('is approved by a retry, and the later dates do not move', () => {
    const player = pixRecurring(refusing(2, 3)).advanceThrough('2026-03-10');
    assert.equal(player.billing.status, 'payment_approved');
    assert.equal(chargeDates(player).at(-1), '3: 2026-03-07, due 2026-03-10');
  });

  it('is not retried without a retry policy', () => {
    const mandate = waitingMandate(NOW, { allowsRetries: false });
    const player = pixRecurring(refusing(2, 9), { mandate }).advanceThrough('2026-12-31');
    assert.equal(player.charges.length, 2);
    assert.deepEqual(player.events.slice(3), ['subscription.charge_failed', 'subscription.unpaid']);
  });

  it('is not retried after a reason that is final', () => {
    const player = pixRecurring(({ cycle }) => (cycle === 2 ? 'hard' : 'paid')).advanceThrough('2026-12-31');
    assert.equal(player.charges.length, 2);
    assert.equal(player.billing.status, 'payment_refused');
  });

  it('is never retried on the day of a charge that was refused before its day', () => {
    const player = pixRecurring(({ cycle }) => (cycle === 2 ? 'unknown' : 'paid'));
    // Each is refused on the day on which it is sent.
    for (const day of ['2026-02-08', '2026-02-09', '2026-02-11', '2026-02-15']) {
      player.advanceThrough(day).settle('soft');
    }
    player.advanceThrough('2026-12-31');
    assert.deepEqual(
      player.charges.map(({ dueOn }) => dueOn),
      ['2026-01-10', '2026-02-10', '2026-02-11', '2026-02-13', '2026-02-17'],
    );
    assert.equal(player.events.at(-1), 'subscription.unpaid');
  });

  it('has 2 retries in a week, because the third would be due with the next cycle', () => {
    const plan = {
      offerId: null,
      interval: 'weekly' as const,
      ladder: [{ start: 1, end: null, amount_centavos: 10_000 }],
    };
    const player = pixRecurring(refusing(2, 9), { plan }).advanceThrough('2026-12-31');
    assert.deepEqual(
      player.charges.map(({ dueOn }) => dueOn),
      ['2026-01-10', '2026-01-17', '2026-01-18', '2026-01-20'],
    );
  });
});
