/** Charges by a mandate that no worker made or sent in time. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nextCharge } from '../../../domain/subscriptions/engine/next-charge.ts';
import { chargeDates, pixRecurring } from '../../support/subscriptions/billing-players.ts';
import {
  type Acquirer,
  afternoonOf,
  BillingPlayer,
  monthlyPix,
} from '../../support/subscriptions/play-billing.ts';

describe('a charge of Pix recurring whose day has passed, because no worker ran', () => {
  /** The player at 15:00 of a day, after nothing ran meanwhile. */
  const awakeOn = (player: BillingPlayer, day: string) => {
    player.now = afternoonOf(day);
    player.runDue();
  };
  const statusAndRetries = ({ billing }: BillingPlayer) => [billing.status, billing.openCycle?.next ?? null];

  it('is canceled if it was scheduled, and another one is due in 3 days', () => {
    const player = pixRecurring().advanceThrough('2026-02-07');
    awakeOn(player, '2026-02-12');
    assert.deepEqual(chargeDates(player).slice(1), [
      '2: 2026-02-07, due 2026-02-10',
      '2: 2026-02-12, due 2026-02-15',
    ]);
    player.advanceThrough('2026-02-15');
    assert.equal(player.billing.paidCycles, 2);
    assert.equal(nextCharge(player.billing)?.on, '2026-03-10');
  });

  it('has a due date of its own if the charge of the next cycle is late too', () => {
    const player = pixRecurring().advanceThrough('2026-02-06');
    awakeOn(player, '2026-03-07');
    player.advanceThrough('2026-04-10');
    assert.deepEqual(chargeDates(player).slice(1), [
      '2: 2026-03-07, due 2026-03-10',
      '3: 2026-03-10, due 2026-03-13',
      '4: 2026-04-07, due 2026-04-10',
    ]);
    assert.equal(player.billing.paidCycles, 4);
  });

  it('keeps its due date soon after the first payment, which was due at once', () => {
    const player = new BillingPlayer(
      monthlyPix('2026-01-30', { bestChargeDay: 1 }),
      afternoonOf('2026-01-30'),
    );
    player.advanceThrough('2026-03-01');
    assert.deepEqual(chargeDates(player), [
      '1: 2026-01-30, due 2026-01-30',
      '2: 2026-01-31, due 2026-02-01',
      '3: 2026-02-26, due 2026-03-01',
    ]);
  });

  it('is sent late if its due date has not passed', () => {
    const player = pixRecurring().advanceThrough('2026-02-07');
    awakeOn(player, '2026-02-10');
    assert.deepEqual(chargeDates(player).slice(1), ['2: 2026-02-07, due 2026-02-10']);
    assert.equal(player.billing.paidCycles, 2);
  });

  it('is retried on the next day of the retries if it was a retry', () => {
    const player = pixRecurring(({ cycle, number }) => (cycle === 2 && number === 1 ? 'unknown' : 'paid'));
    player.advanceThrough('2026-02-10').settle('soft');
    assert.equal(nextCharge(player.billing)?.on, '2026-02-11');
    awakeOn(player, '2026-02-12');
    assert.deepEqual(chargeDates(player).slice(2), ['2: 2026-02-12, due 2026-02-13']);
    player.advanceThrough('2026-02-13');
    assert.equal(player.billing.paidCycles, 2);
  });

  it('is given up if all days of the retries have passed', () => {
    const refusedThrice: Acquirer = ({ cycle, number }) => (cycle === 2 && number <= 3 ? 'soft' : 'paid');
    const player = pixRecurring(refusedThrice).advanceThrough('2026-02-13');
    player.events.length = 0;
    awakeOn(player, '2026-02-18');
    assert.deepEqual(statusAndRetries(player), ['payment_refused', null]);
    assert.equal(player.invoices.get(2), 'uncollectible');
    assert.deepEqual(player.events, ['subscription.unpaid']);
    assert.equal(player.charges.length, 4);
  });
});

describe('a charge of Pix recurring that the acquirer has never received', () => {
  /** A player whose first charge of cycle 2 is refused on 10 February; `unsent`: the retries that are not received. */
  const retried = (...unsent: readonly number[]) =>
    pixRecurring(({ cycle, number }) => {
      if (cycle !== 2 || unsent.length === 0) return 'paid';
      if (number === 1) return 'soft';
      return unsent.includes(number - 1) ? 'unknown' : 'soft';
    });
  const isNotReceived = (player: BillingPlayer) => {
    player.settle('unsent');
    player.runDue();
  };

  for (const [retry, createdOn, sentOn, dueOn] of [
    [1, '2026-02-10', '2026-02-10', '2026-02-11'],
    [2, '2026-02-11', '2026-02-11', '2026-02-13'],
    [3, '2026-02-14', '2026-02-15', '2026-02-17'],
  ] as const) {
    it(`keeps its day if it is retry ${retry}`, () => {
      const player = retried(retry).advanceTo(afternoonOf(sentOn));
      assert.equal(chargeDates(player).at(-1), `2: ${createdOn}, due ${dueOn}`);
      isNotReceived(player);
      assert.equal(chargeDates(player).at(-1), `2: ${sentOn}, due ${dueOn}`);
      assert.equal(player.billing.openCycle?.attempt?.isSent, true);
      assert.equal(player.billing.lastMandateDueOn, dueOn);
    });
  }

  it('is not made again if it is a retry whose day has passed', () => {
    const [second, third] = [retried(1), retried(3)];
    second.advanceTo(afternoonOf('2026-02-12'));
    isNotReceived(second);
    assert.equal(chargeDates(second).at(-1), '2: 2026-02-12, due 2026-02-13');
    third.advanceTo(afternoonOf('2026-02-18'));
    third.events.length = 0;
    isNotReceived(third);
    assert.equal(chargeDates(third).at(-1), '2: 2026-02-14, due 2026-02-17');
    assert.deepEqual(third.events, ['subscription.unpaid']);
    assert.deepEqual([third.billing.openCycle?.next, third.billing.openCycle?.giveUpOn], [null, null]);
  });

  for (const [what, day, dueOn] of [
    [
      'keeps its due date, if it is no retry, as long as it is sent 2 days before',
      '2026-02-08',
      '2026-02-10',
    ],
    ['is due in 3 days if it is no retry, and it is too late for its due date', '2026-02-09', '2026-02-12'],
  ] as const) {
    it(what, () => {
      const player = pixRecurring(({ cycle }) => (cycle === 2 ? 'unknown' : 'paid'));
      player.advanceTo(afternoonOf(day));
      isNotReceived(player);
      assert.equal(chargeDates(player).at(-1), `2: ${day}, due ${dueOn}`);
    });
  }

  it('is due in 3 days if it is no retry, and it waits until the day after the last day on which it is sent', () => {
    const player = pixRecurring(({ cycle }) => (cycle === 2 ? 'unknown' : 'paid'));
    player.advanceTo(new Date('2026-02-08T23:59:30-03:00'));
    isNotReceived(player);
    assert.equal(chargeDates(player).at(-1), '2: 2026-02-08, due 2026-02-10');
    player.settle('unsent');
    player.advanceTo(afternoonOf('2026-02-09'));
    assert.equal(chargeDates(player).at(-1), '2: 2026-02-09, due 2026-02-11');
  });
});
