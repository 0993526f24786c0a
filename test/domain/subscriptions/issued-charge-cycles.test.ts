import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nextCharge } from '../../../domain/subscriptions/engine/next-charge.ts';
import { settleAttempt } from '../../../domain/subscriptions/engine/settle-attempt.ts';
import { card, chargeDates } from '../../support/billing-players.ts';
import { type Acquirer, afternoonOf } from '../../support/play-billing.ts';

for (const method of ['bank_slip', 'pix'] as const) {
  const play = (acquirer?: Acquirer, other = {}) => card(acquirer, { method, ...other });

  describe(`a subscription paid by ${method}`, () => {
    it('has its first charge at once, due in 3 days, and each later one 5 days before the billing date', () => {
      const player = play();
      assert.equal(player.billing.status, 'payment_pending');
      player.advanceThrough('2026-03-10');
      assert.deepEqual(chargeDates(player), [
        '1: 2026-01-10, due 2026-01-13',
        '2: 2026-02-05, due 2026-02-10',
        '3: 2026-03-05, due 2026-03-10',
      ]);
      assert.equal(player.billing.status, 'active');
      assert.ok(player.log.includes('05/02/2026 06:00 open_cycle'));
    });

    it('has its first charge on a later start, due in 3 days', () => {
      const player = play(undefined, { startOn: '2026-01-20' });
      assert.equal(player.charges.length, 0);
      assert.equal(player.billing.status, 'payment_pending');
      player.advanceThrough('2026-01-20');
      assert.deepEqual(chargeDates(player), ['1: 2026-01-20, due 2026-01-23']);
    });

    it('has its first charge 5 days before a trial ends, or at the first step of a shorter trial', () => {
      const first = (trialDays: number) =>
        chargeDates(play(undefined, { trialDays }).advanceThrough('2026-01-20'));
      assert.deepEqual(first(14), ['1: 2026-01-19, due 2026-01-24']);
      assert.deepEqual(first(2), ['1: 2026-01-10, due 2026-01-12']);
    });

    it('is past due when a charge expires, and active when the second one, due 3 days later, is paid', () => {
      const player = play(({ cycle, number }) => (cycle === 2 && number === 1 ? 'late' : 'paid'));
      player.advanceThrough('2026-02-11');
      assert.equal(player.billing.status, 'past_due');
      assert.equal(player.invoices.get(2), 'past_due');
      assert.equal(nextCharge(player.billing)?.on, '2026-02-14');
      player.advanceThrough('2026-02-14');
      assert.equal(player.billing.status, 'active');
      assert.equal(player.invoices.get(2), 'paid');
      assert.deepEqual(chargeDates(player).slice(1), [
        '2: 2026-02-05, due 2026-02-10',
        '2: 2026-02-11, due 2026-02-14',
      ]);
      assert.deepEqual(player.billing.paidPeriod, {
        start: '2026-02-10',
        end: '2026-03-10',
        interval: 'monthly',
      });
    });

    it('is unpaid 7 days after the first charge expired, and opens no new cycle', () => {
      const player = play(({ cycle }) => (cycle === 2 ? 'late' : 'paid'));
      player.advanceThrough('2026-02-17');
      assert.equal(player.billing.status, 'past_due');
      player.advanceThrough('2026-12-31');
      assert.equal(player.log.at(-1), '18/02/2026 06:00 give_up');
      assert.equal(player.billing.status, 'unpaid');
      assert.equal(player.invoices.get(2), 'uncollectible');
      assert.equal(player.charges.length, 3);
      assert.equal(nextCharge(player.billing)?.on, '2026-02-10');
      assert.deepEqual(player.events.slice(3), [
        'subscription.charge_failed',
        'subscription.past_due',
        'subscription.charge_failed',
        'subscription.unpaid',
      ]);
    });

    it('has 7 days for a second charge also if that one is late, because no worker ran', () => {
      const player = play(({ cycle }) => (cycle === 2 ? 'unknown' : 'paid')).advanceThrough('2026-02-10');
      player.now = afternoonOf('2026-02-11');
      const terms = { now: player.now, dunningDays: [] };
      player.apply(settleAttempt(player.billing, { kind: 'expired' }, terms), 'late');
      player.now = afternoonOf('2026-02-25');
      player.runDue();
      assert.equal(player.billing.status, 'past_due');
      assert.equal(chargeDates(player).at(-1), '2: 2026-02-25, due 2026-02-28');
      player.advanceThrough('2026-03-31');
      assert.equal(player.log.at(-1), '04/03/2026 06:00 give_up');
    });

    it('is active again when the customer pays after it was given up', () => {
      const player = play(({ cycle, number }) =>
        cycle !== 2 ? 'paid' : number === 1 ? 'late' : 'unknown',
      ).advanceThrough('2026-02-20');
      assert.equal(player.billing.status, 'unpaid');
      player.settle('paid');
      assert.equal(player.billing.status, 'active');
      assert.equal(player.invoices.get(2), 'paid');
    });
  });
}
