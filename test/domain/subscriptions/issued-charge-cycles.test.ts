import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { changeMethod } from '../../../domain/subscriptions/change-method.ts';
import { nextCharge } from '../../../domain/subscriptions/engine/next-charge.ts';
import { nextStep } from '../../../domain/subscriptions/engine/next-step.ts';
import { settleAttempt } from '../../../domain/subscriptions/engine/settle-attempt.ts';
import { chargeOverdueCycle } from '../../../domain/subscriptions/reactivate-billing.ts';
import { card, chargeDates } from '../../support/subscriptions/billing-players.ts';
import { type Acquirer, afternoonOf } from '../../support/subscriptions/play-billing.ts';

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

    it('keeps a due date of its first charge that the merchant has chosen if the acquirer has not received it', () => {
      for (const [firstDueOn, dueOn] of [
        ['2026-01-25', '2026-01-25'],
        ['2026-01-11', '2026-01-13'],
      ]) {
        const player = play(() => 'unknown', { firstDueOn });
        const terms = { now: player.now, dunningDays: [] };
        player.apply(settleAttempt(player.billing, { kind: 'not_sent' }, terms), 'unsent');
        player.runDue();
        assert.deepEqual(chargeDates(player), [
          `1: 2026-01-10, due ${firstDueOn}`,
          `1: 2026-01-10, due ${dueOn}`,
        ]);
        assert.equal(player.billing.openCycle?.attempt?.isSent, true);
        assert.equal(nextStep(player.billing), null);
      }
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

    describe('before the billing date', () => {
      /** The charges of the second cycle fail 5 days before its billing date, and the next charge follows at once. */
      const failed = (...outcomes: readonly ('soft' | 'hard')[]) => {
        const player = play(({ cycle }) => (cycle === 2 ? 'unknown' : 'paid')).advanceThrough('2026-02-05');
        for (const outcome of outcomes) {
          player.settle(outcome);
          player.runDue();
        }
        return player;
      };

      it('has another charge when one fails, due on the billing date, and is not past due', () => {
        const player = failed('soft');
        assert.deepEqual(chargeDates(player).slice(1), [
          '2: 2026-02-05, due 2026-02-10',
          '2: 2026-02-05, due 2026-02-10',
        ]);
        assert.equal(player.billing.status, 'active');
        assert.equal(player.invoices.get(2), 'open');
        assert.equal(player.events.at(-1), 'subscription.charge_failed');
        player.settle('paid');
        assert.equal(player.billing.status, 'active');
        assert.equal(player.invoices.get(2), 'paid');
      });

      it('has 3 days to pay another charge that is issued just before the billing date', () => {
        const player = failed();
        player.advanceThrough('2026-02-09');
        player.settle('soft');
        player.runDue();
        assert.equal(chargeDates(player).at(-1), '2: 2026-02-09, due 2026-02-12');
        assert.equal(player.billing.status, 'active');
      });

      it('has the days of a late payment from the billing date on, as if no charge had failed before', () => {
        const player = failed('soft').advanceThrough('2026-02-11');
        player.settle('late');
        assert.equal(player.billing.status, 'past_due');
        player.runDue();
        assert.equal(chargeDates(player).at(-1), '2: 2026-02-11, due 2026-02-14');
        player.advanceThrough('2026-02-17');
        assert.equal(player.billing.status, 'past_due');
        player.advanceThrough('2026-02-18');
        assert.equal(player.billing.status, 'unpaid');
      });

      it('has the third charge on the billing date if two fail before', () => {
        const player = failed('soft', 'soft').advanceThrough('2026-02-09');
        assert.equal(player.charges.length, 3);
        assert.equal(player.billing.status, 'active');
        player.advanceThrough('2026-02-10');
        assert.equal(chargeDates(player).at(-1), '2: 2026-02-10, due 2026-02-13');
        assert.equal(player.billing.status, 'active');
        player.settle('soft');
        assert.equal(player.billing.status, 'past_due');
        player.runDue();
        assert.equal(chargeDates(player).at(-1), '2: 2026-02-10, due 2026-02-13');
        player.advanceThrough('2026-02-17');
        assert.equal(player.billing.status, 'unpaid');
      });

      it('is unpaid only from the billing date on if a refusal is final', () => {
        const player = failed('hard').advanceThrough('2026-02-09');
        assert.equal(player.charges.length, 2);
        assert.equal(player.billing.status, 'active');
        player.advanceThrough('2026-02-10');
        assert.equal(player.billing.status, 'unpaid');
        assert.equal(player.invoices.get(2), 'uncollectible');
      });

      it('is not due before the billing date if the acquirer has not received the first charge', () => {
        const player = play(({ cycle }) => (cycle === 2 ? 'unknown' : 'paid')).advanceThrough('2026-02-05');
        const terms = { now: player.now, dunningDays: [] };
        player.apply(settleAttempt(player.billing, { kind: 'not_sent' }, terms), 'unsent');
        player.runDue();
        assert.equal(chargeDates(player).at(-1), '2: 2026-02-05, due 2026-02-10');
      });

      it('charges a card on the billing date after charges that failed', () => {
        const player = failed('soft', 'soft');
        const wanted = { method: 'credit_card', mandate: null } as const;
        player.apply(changeMethod(player.billing, wanted, 'merchant', player.now), 'change_method');
        assert.equal(chargeOverdueCycle(player.billing, player.now), null);
        player.advanceThrough('2026-02-10');
        assert.equal(chargeDates(player).at(-1), '2: 2026-02-10, due 2026-02-10');
      });

      it('charges a card on the billing date if the charge that it replaces fails before', () => {
        const player = failed();
        const wanted = { method: 'credit_card', mandate: null } as const;
        player.apply(changeMethod(player.billing, wanted, 'merchant', player.now, false), 'change_method');
        const terms = { now: player.now, dunningDays: [], isByFormerMeans: true };
        player.apply(settleAttempt(player.billing, { kind: 'refused', mayRetry: true }, terms), 'soft');
        assert.equal(player.billing.status, 'active');
        assert.equal(player.invoices.get(2), 'open');
        player.advanceThrough('2026-02-10');
        assert.equal(chargeDates(player).at(-1), '2: 2026-02-10, due 2026-02-10');
      });
    });

    it('has all its charges after it replaced a card whose retry was never sent', () => {
      const acquirer: Acquirer = ({ cycle, number }) =>
        cycle !== 2 ? 'paid' : number === 1 ? 'soft' : number === 2 ? 'unknown' : 'late';
      const player = card(acquirer).advanceThrough('2026-02-11');
      assert.equal(chargeDates(player).at(-1), '2: 2026-02-11, due 2026-02-11');
      const wanted = { method, mandate: null } as const;
      player.apply(changeMethod(player.billing, wanted, 'merchant', player.now, false), 'change_method');
      const terms = { now: player.now, dunningDays: [], isByFormerMeans: true };
      player.apply(settleAttempt(player.billing, { kind: 'not_sent' }, terms), 'unsent');
      player.advanceThrough('2026-02-19');
      assert.deepEqual(chargeDates(player).slice(3), [
        '2: 2026-02-11, due 2026-02-14',
        '2: 2026-02-15, due 2026-02-18',
      ]);
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
