import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Plan } from '../../../domain/subscriptions/billing.ts';
import { completeUpgrade, quotePlanChange } from '../../../domain/subscriptions/plan-change.ts';
import { SUBSCRIPTION_STATUSES } from '../../../domain/subscriptions/subscription-status.ts';
import { card, NOW, pixRecurring, START } from '../../support/subscriptions/billing-players.ts';
import { asked, change, charged, priced, quoted, refused } from '../../support/subscriptions/plan-changes.ts';
import { waitingMandate } from '../../support/subscriptions/play-billing.ts';

describe('a plan change with the next cycle', () => {
  it('charges nothing now, and has the difference of the next amounts', () => {
    const player = card();
    assert.deepEqual(change(player, priced(15_000), 'next_cycle', '2026-01-20'), {
      delta_centavos: 5_000,
      nextChargeOn: '2026-02-10',
      nextChargeAmount_centavos: 15_000,
    });
    assert.deepEqual(player.events.slice(3), ['subscription.plan_changed', 'subscription.updated']);
    assert.equal(player.billing.plan.offerId, null);
    player.advanceThrough('2026-02-10');
    assert.equal(player.billing.plan.offerId, 'monthly 15000');
    assert.equal(player.billing.pendingPlan, null);
    assert.deepEqual(charged(player), ['1: 2026-01-10 10000', '2: 2026-02-10 15000']);
  });

  it('goes on with the number of the cycle on the new ladder', () => {
    const player = card().advanceThrough('2026-02-10');
    const ladder = [
      { start: 1, end: 2, amount_centavos: 100 },
      { start: 3, end: null, amount_centavos: 900 },
    ];
    const target: Plan = { offerId: 'steps', interval: 'monthly', ladder };
    assert.equal(change(player, target, 'next_cycle', '2026-02-20').nextChargeAmount_centavos, 900);
  });

  it('moves the renewals after the next one by the new interval', () => {
    const player = card();
    change(player, priced(25_000, 'quarterly'), 'next_cycle', '2026-01-20');
    player.advanceThrough('2026-08-31');
    assert.deepEqual(charged(player).slice(1), [
      '2: 2026-02-10 25000',
      '3: 2026-05-10 25000',
      '4: 2026-08-10 25000',
    ]);
  });

  it('made twice in a cycle is the second one, compared with the first', () => {
    const player = card();
    change(player, priced(15_000), 'next_cycle', '2026-01-20');
    assert.equal(change(player, priced(12_000), 'next_cycle', '2026-01-21').delta_centavos, -3_000);
    player.advanceThrough('2026-02-10');
    assert.equal(charged(player)[1], '2: 2026-02-10 12000');
  });

  it('of a past due subscription keeps the price of the overdue cycle', () => {
    const player = card(({ cycle, number }) =>
      cycle === 2 && number === 1 ? 'soft' : 'paid',
    ).advanceThrough('2026-02-10');
    const quote = change(player, priced(15_000), 'next_cycle', '2026-02-10');
    assert.equal(quote.nextChargeOn, '2026-03-10');
    player.advanceThrough('2026-03-10');
    assert.deepEqual(charged(player).slice(1), [
      '2: 2026-02-10 10000',
      '2: 2026-02-11 10000',
      '3: 2026-03-10 15000',
    ]);
  });

  it('is possible in every status but canceled, ended and completed', () => {
    const { billing } = card();
    const closed = SUBSCRIPTION_STATUSES.filter((status) => {
      const answer = quotePlanChange({ ...billing, status }, priced(1), 'next_cycle', START);
      return 'about' in answer && answer.about === 'status';
    });
    assert.deepEqual(closed, ['canceled', 'ended', 'completed']);
  });
});

describe('a plan change at once', () => {
  it('to a higher price charges the rest of the cycle, and leaves the cycle as it is', () => {
    const player = card();
    const { paidPeriod } = player.billing;
    assert.deepEqual(change(player, priced(15_000), 'immediate', '2026-01-31'), {
      delta_centavos: 1_613,
      nextChargeOn: '2026-02-10',
      nextChargeAmount_centavos: 15_000,
    });
    assert.deepEqual(player.billing.paidPeriod, paidPeriod);
    assert.equal(player.billing.credit_centavos, 0);
    assert.equal(player.billing.plan.offerId, 'monthly 15000');
    player.advanceThrough('2026-02-10');
    assert.equal(charged(player)[1], '2: 2026-02-10 15000');
  });

  it('to a lower price gives a credit, which is used in as many cycles as it needs', () => {
    const player = card();
    assert.equal(change(player, priced(2_000), 'immediate', START).delta_centavos, -8_000);
    assert.equal(player.billing.credit_centavos, 8_000);
    player.advanceThrough('2026-07-10');
    assert.deepEqual(charged(player).slice(1), ['6: 2026-06-10 2000', '7: 2026-07-10 2000']);
    assert.equal(player.billing.paidCycles, 7);
    assert.equal(player.billing.credit_centavos, 0);
  });

  it('uses the rest of a credit for a part of a cycle', () => {
    const player = card();
    change(player, priced(3_000), 'immediate', START);
    player.advanceThrough('2026-05-10');
    assert.deepEqual(charged(player).slice(1), ['4: 2026-04-10 2000', '5: 2026-05-10 3000']);
  });

  it('compares the prices of the present cycle on the two ladders', () => {
    const player = card().advanceThrough('2026-02-10');
    const ladder = [
      { start: 1, end: 1, amount_centavos: 1 },
      { start: 2, end: 2, amount_centavos: 20_000 },
      { start: 3, end: null, amount_centavos: 99_000 },
    ];
    const target: Plan = { offerId: 'steps', interval: 'monthly', ladder };
    const quote = quoted(player, target, 'immediate', '2026-02-10');
    assert.equal(quote.delta_centavos, 10_000);
    assert.equal(quote.nextChargeAmount_centavos, 99_000);
  });

  it('to another interval scales the new price by months', () => {
    const player = card();
    const quote = change(player, priced(36_000, 'quarterly'), 'immediate', START);
    assert.deepEqual(quote, {
      delta_centavos: 2_000,
      nextChargeOn: '2026-02-10',
      nextChargeAmount_centavos: 36_000,
    });
    player.advanceThrough('2026-05-10');
    assert.deepEqual(charged(player).slice(1), ['2: 2026-02-10 36000', '3: 2026-05-10 36000']);
  });

  it('made twice in a cycle and back again costs nothing', () => {
    const player = card();
    const up = change(player, priced(120_000, 'yearly'), 'immediate', '2026-01-20').delta_centavos;
    const further = change(player, priced(15_000), 'immediate', '2026-01-20').delta_centavos;
    const back = change(player, priced(10_000), 'immediate', '2026-01-20').delta_centavos;
    assert.deepEqual([up, further, back], [0, 3_387, -3_387]);
  });

  it('replaces a change that waits for the next cycle', () => {
    const player = card();
    change(player, priced(15_000), 'next_cycle', '2026-01-20');
    change(player, priced(8_000), 'immediate', '2026-01-20');
    assert.equal(player.billing.pendingPlan, null);
    player.advanceThrough('2026-02-10');
    assert.match(charged(player)[1]!, /^2: 2026-02-10 6645$/);
  });

  it('on the last day of a cycle costs one day', () => {
    assert.equal(quoted(card(), priced(41_000), 'immediate', '2026-02-09').delta_centavos, 1_000);
  });

  it('on the billing date before the renewal, or later, costs nothing', () => {
    assert.equal(quoted(card(), priced(41_000), 'immediate', '2026-02-10').delta_centavos, 0);
    assert.equal(quoted(card(), priced(41_000), 'immediate', '2026-02-20').delta_centavos, 0);
  });

  it('in a trial costs nothing, and the trial goes on', () => {
    const player = card(undefined, { trialDays: 14 });
    const quote = change(player, priced(15_000), 'immediate', START);
    assert.deepEqual(quote, {
      delta_centavos: 0,
      nextChargeOn: '2026-01-24',
      nextChargeAmount_centavos: 15_000,
    });
    assert.equal(player.billing.status, 'trial_started');
    player.advanceThrough('2026-01-24');
    assert.deepEqual(charged(player), ['1: 2026-01-24 15000']);
  });

  it('is refused in past due and unpaid, and for a weekly plan', () => {
    for (const status of ['past_due', 'unpaid'] as const) {
      const player = card();
      player.billing = { ...player.billing, status };
      assert.equal(refused(player, priced(1), 'immediate').about, 'effective');
      assert.ok('delta_centavos' in asked(player, priced(1), 'next_cycle', START));
    }
    const weekly = card(undefined, { plan: priced(500, 'weekly') });
    assert.equal(refused(weekly, priced(600, 'weekly'), 'immediate').about, 'effective');
    // Also if its mandate allows no other plan.
    const { billing } = weekly;
    const terms = { interval: 'weekly', recurringAmount_centavos: 500, minAmount_centavos: null } as const;
    weekly.billing = {
      ...billing,
      mandate: { ...terms, allowsRetries: false, qrExpiresAt: new Date(), state: 'authorized' },
    };
    assert.equal(refused(weekly, priced(600), 'immediate').about, 'effective');
    assert.equal(refused(weekly, priced(600), 'next_cycle').about, 'plan');
  });

  it('to a higher price needs a card or a wallet; to a lower one it does not', () => {
    for (const method of ['bank_slip', 'pix'] as const) {
      const player = card(undefined, { method }).advanceThrough('2026-01-13');
      assert.equal(player.billing.status, 'active');
      assert.equal(refused(player, priced(15_000), 'immediate').about, 'effective');
      assert.equal(quoted(player, priced(9_000), 'immediate', START).delta_centavos, -1_000);
    }
    const wallet = card(undefined, { method: 'browser_wallet' });
    assert.equal(quoted(wallet, priced(15_000), 'immediate', START).delta_centavos, 5_000);
  });

  it('does not change anything until it is made: a quote does not change the billing', () => {
    const player = card().advanceThrough('2026-01-20');
    const before = structuredClone(player.billing);
    quoted(player, priced(15_000), 'immediate', '2026-01-20');
    assert.deepEqual(player.billing, before);
    player.advanceThrough('2026-02-10');
    assert.equal(charged(player)[1], '2: 2026-02-10 10000');
  });

  it('is completed in every status when the charge is approved, also after a cancellation', () => {
    const { billing } = card();
    for (const status of SUBSCRIPTION_STATUSES) {
      const changed = completeUpgrade({ ...billing, status }, priced(15_000), 1);
      assert.deepEqual(changed.moves, [{ move: 'complete_upgrade', by: 'acquirer', status }]);
      assert.equal(changed.billing.plan.offerId, 'monthly 15000');
      assert.equal(changed.payment, null);
    }
  });
});

describe('a plan change to a plan that does not fit', () => {
  it('is refused if its finite ladder has ended before the next cycle', () => {
    const player = card().advanceThrough('2026-02-10');
    for (const effective of ['next_cycle', 'immediate'] as const) {
      assert.equal(refused(player, priced(500, 'monthly', 2), effective).about, 'plan');
    }
    assert.ok('delta_centavos' in asked(player, priced(500, 'monthly', 3), 'next_cycle', '2026-02-10'));
  });

  it('is refused if the mandate does not allow its amount or its interval', () => {
    const player = pixRecurring();
    assert.match(refused(player, priced(9_000), 'next_cycle').sentence, /amount/);
    assert.match(refused(player, priced(10_000, 'yearly'), 'next_cycle').sentence, /interval/);
    assert.ok('delta_centavos' in asked(player, priced(10_000), 'next_cycle', START));
  });

  it('is compared with the minimum of a mandate whose amount varies', () => {
    const terms = { recurringAmount_centavos: null, minAmount_centavos: 5_000 };
    const mandate = waitingMandate(NOW, terms);
    const player = pixRecurring(undefined, { mandate });
    assert.equal(refused(player, priced(4_999), 'next_cycle').about, 'plan');
    assert.ok('delta_centavos' in asked(player, priced(5_000), 'next_cycle', START));
    const ladder = [
      { start: 1, end: 1, amount_centavos: 1_000 },
      { start: 2, end: null, amount_centavos: 6_000 },
    ];
    assert.ok('delta_centavos' in asked(player, { ...priced(1), ladder }, 'next_cycle', START));
  });
});

describe('a credit and a mandate', () => {
  const secondCharge = (terms: object) => {
    const mandate = waitingMandate(NOW, terms);
    const player = pixRecurring(undefined, { mandate });
    player.billing = { ...player.billing, credit_centavos: 8_000 };
    player.advanceThrough('2026-02-10');
    return [player.charges.at(-1)!.amount_centavos, player.billing.credit_centavos];
  };

  it('leave a charge that the mandate allows', () => {
    const varying = { recurringAmount_centavos: null };
    assert.deepEqual(secondCharge({ ...varying, minAmount_centavos: null }), [2_000, 0]);
    assert.deepEqual(secondCharge({ ...varying, minAmount_centavos: 5_000 }), [5_000, 3_000]);
    assert.deepEqual(secondCharge({}), [10_000, 8_000]);
  });
});
