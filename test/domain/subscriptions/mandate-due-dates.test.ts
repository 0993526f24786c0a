/** At most one charge by a mandate is due on a day (contract row 8.5). */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { changeMethod, changeToMandate } from '../../../domain/subscriptions/change-method.ts';
import { settleAttempt } from '../../../domain/subscriptions/engine/settle-attempt.ts';
import { DUNNING_DAYS } from '../../../domain/subscriptions/retry-days.ts';
import { card, NOW, pixRecurring, START } from '../../support/subscriptions/billing-players.ts';
import {
  type Acquirer,
  afternoonOf,
  BillingPlayer,
  monthlyPix,
  waitingMandate,
} from '../../support/subscriptions/play-billing.ts';

const dueDates = ({ charges }: BillingPlayer) => charges.map(({ cycle, dueOn }) => `${cycle}: ${dueOn}`);

function useNewMandate(player: BillingPlayer): void {
  const { billing, now } = player;
  const wanted = { method: 'pix_recurring', terms: waitingMandate(now), plan: null } as const;
  player.apply(changeToMandate(billing, wanted, now, true), 'change');
}

function useMethod(player: BillingPlayer, method: 'credit_card' | 'bank_slip'): void {
  const { billing, now } = player;
  player.apply(changeMethod(billing, { method, mandate: null }, 'merchant', now), 'change');
}

/** A card subscription from 10 January that changes to a mandate in the afternoon of a day. */
function changedToMandate(day: string, acquirer: Acquirer): BillingPlayer {
  const player = card(acquirer);
  player.advanceTo(afternoonOf(day));
  useNewMandate(player);
  return player;
}

it('a late first cycle by a new mandate moves the due date of the second one', () => {
  const player = changedToMandate('2026-02-07', ({ cycle, number }) =>
    cycle * number === 1 ? 'hard' : 'paid',
  );
  player.advanceThrough('2026-03-10');
  assert.deepEqual(dueDates(player), ['1: 2026-01-10', '1: 2026-02-10', '2: 2026-02-13', '3: 2026-03-10']);
});

it('a late charge of a card moves no due date', () => {
  const acquirer: Acquirer = ({ cycle, number }) => (cycle === 2 && number < 5 ? 'soft' : 'paid');
  const player = changedToMandate('2026-03-05', acquirer);
  assert.equal(player.billing.paidCycles, 2);
  player.billing = { ...player.billing, lastAttemptOn: '2026-03-08' };
  player.advanceThrough('2026-03-10');
  assert.equal(dueDates(player).at(-1), '3: 2026-03-10');
});

it('a late first charge after a start in the future moves the due date of the second one', () => {
  const weekly = { ...monthlyPix(START).plan, interval: 'weekly' } as const;
  const request = monthlyPix('2026-01-20', { plan: weekly });
  const player = new BillingPlayer(request, NOW);
  const { billing } = player;
  player.billing = { ...billing, mandate: { ...billing.mandate!, state: 'authorized' } };
  player.now = afternoonOf('2026-01-24');
  player.runDue();
  player.advanceThrough('2026-02-10');
  assert.deepEqual(dueDates(player), ['1: 2026-01-27', '2: 2026-01-30', '3: 2026-02-03', '4: 2026-02-10']);
});

it('a new mandate does not repeat the due date of a charge that the bank has refused before its day', () => {
  const player = pixRecurring();
  player.advanceTo(afternoonOf('2026-02-08'));
  player.settle('soft');
  player.advanceTo(afternoonOf('2026-02-09'));
  useNewMandate(player);
  player.advanceThrough('2026-02-12');
  // The retry of the 11th was withdrawn.
  const ofCycle = dueDates(player).filter((line) => line.startsWith('2: '));
  assert.deepEqual(ofCycle, ['2: 2026-02-10', '2: 2026-02-11', '2: 2026-02-12']);
});

it('a new mandate keeps the due date of a charge that it replaces', () => {
  const player = pixRecurring();
  player.advanceTo(afternoonOf('2026-02-08'));
  useNewMandate(player);
  player.advanceThrough('2026-02-10');
  assert.deepEqual(dueDates(player), ['1: 2026-01-10', '2: 2026-02-10', '2: 2026-02-10']);
  assert.equal(player.billing.paidCycles, 2);
});

it('a new mandate does not repeat the due date of a refused charge when it replaces a boleto of that day', () => {
  const player = pixRecurring(({ cycle }) => (cycle === 1 ? 'paid' : 'unknown'));
  player.advanceTo(new Date('2026-02-09T22:30:00-03:00'));
  useMethod(player, 'credit_card');
  const terms = { now: player.now, dunningDays: DUNNING_DAYS, isByFormerMeans: true };
  player.apply(settleAttempt(player.billing, { kind: 'refused', mayRetry: true }, terms), 'refuse');
  useMethod(player, 'bank_slip');
  player.runDue();
  useNewMandate(player);
  player.runDue();
  const ofCycle = dueDates(player).filter((line) => line.startsWith('2: '));
  assert.deepEqual(ofCycle, ['2: 2026-02-10', '2: 2026-02-10', '2: 2026-02-12']);
});
