import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { card } from '../../support/subscriptions/billing-players.ts';
import { afternoonOf, type BillingPlayer } from '../../support/subscriptions/play-billing.ts';

const charged = (player: BillingPlayer) =>
  player.charges.map(({ createdOn, amount_centavos }) => `${createdOn} ${amount_centavos}`);

describe('the first charges of a subscription', () => {
  it('have the amount that was requested for the next one, then that of the ladder', () => {
    const amount = { nextChargeAmount_centavos: 700 };
    assert.deepEqual(charged(card(undefined, amount).advanceThrough('2026-03-10')), [
      '2026-01-10 10000',
      '2026-02-10 700',
      '2026-03-10 10000',
    ]);
    assert.deepEqual(charged(card(undefined, { ...amount, trialDays: 5 }).advanceThrough('2026-02-15')), [
      '2026-01-15 700',
      '2026-02-15 10000',
    ]);
  });

  it('are made on the best charge day from the second one on', () => {
    assert.deepEqual(charged(card(undefined, { bestChargeDay: 31 }).advanceThrough('2026-03-31')), [
      '2026-01-10 10000',
      '2026-02-28 10000',
      '2026-03-31 10000',
    ]);
  });

  it('wait for a later start, and for a trial that runs from it', () => {
    const later = card(undefined, { startOn: '2026-01-20' });
    assert.equal(later.billing.status, 'payment_pending');
    assert.deepEqual(charged(later.advanceThrough('2026-01-20')), ['2026-01-20 10000']);
    assert.equal(later.billing.status, 'active');
    const trial = card(undefined, { startOn: '2026-01-20', trialDays: 3 });
    assert.deepEqual(charged(trial.advanceThrough('2026-01-31')), ['2026-01-23 10000']);
  });
});

describe('a subscription whose steps were delayed, as those of a merchant who was not approved', () => {
  it('is charged for one overdue cycle a day, and then on its dates', () => {
    const player = card();
    player.now = afternoonOf('2026-04-15');
    player.runDue();
    player.advanceThrough('2026-05-10');
    assert.deepEqual(player.log.slice(2), [
      ...['15/04/2026 15:00 open_cycle', '15/04/2026 15:00 paid'],
      ...['16/04/2026 06:00 open_cycle', '16/04/2026 06:00 paid'],
      ...['17/04/2026 06:00 open_cycle', '17/04/2026 06:00 paid'],
      ...['10/05/2026 06:00 open_cycle', '10/05/2026 06:00 paid'],
    ]);
    assert.equal(player.billing.paidPeriod?.start, '2026-05-10');
  });
});
