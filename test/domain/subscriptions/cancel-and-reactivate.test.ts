import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Plan } from '../../../domain/subscriptions/billing.ts';
import { stepTime } from '../../../domain/subscriptions/billing-dates.ts';
import { canCancel, cancelBilling, endOfPaidAccess } from '../../../domain/subscriptions/cancel-billing.ts';
import { nextCharge } from '../../../domain/subscriptions/engine/next-charge.ts';
import { authorizeMandate, rejectMandate } from '../../../domain/subscriptions/mandate-outcome.ts';
import { reactivateBilling, reactivationProblem } from '../../../domain/subscriptions/reactivate-billing.ts';
import { revokeBilling } from '../../../domain/subscriptions/revoke-billing.ts';
import { SUBSCRIPTION_STATUSES } from '../../../domain/subscriptions/subscription-status.ts';
import { card, pixRecurring } from '../../support/subscriptions/billing-players.ts';
import type { Acquirer, BillingPlayer } from '../../support/subscriptions/play-billing.ts';

const refusedIn =
  (cycle: number, answer: 'soft' | 'late' = 'soft'): Acquirer =>
  (attempt) =>
    attempt.cycle === cycle ? answer : 'paid';

function cancel(player: BillingPlayer, by: 'merchant' | 'acquirer' = 'merchant') {
  player.events.length = 0;
  const change = cancelBilling(player.billing, by, player.now);
  player.apply(change, 'cancel');
  return change;
}

describe('the cancellation of a subscription', () => {
  it('is possible in every status but canceled, ended and completed', () => {
    const refused = SUBSCRIPTION_STATUSES.filter((status) => !canCancel({ status }));
    assert.deepEqual(refused, ['canceled', 'ended', 'completed']);
  });

  it('stops the charges, and the access lasts to the end of the paid period', () => {
    const player = card().advanceThrough('2026-02-15');
    cancel(player);
    assert.deepEqual(player.events, ['subscription.canceled', 'subscription.inactivated']);
    assert.deepEqual(player.billing.endsAt, stepTime('2026-03-10'));
    assert.deepEqual(endOfPaidAccess(player.billing), stepTime('2026-03-10'));
    player.advanceThrough('2026-12-31');
    assert.equal(player.log.at(-1), '10/03/2026 06:00 end');
    assert.equal(player.billing.status, 'ended');
    assert.equal(player.charges.length, 2);
    assert.equal(player.events.at(-1), 'subscription.ended');
  });

  it('lets a trial go on to its end', () => {
    const player = card(undefined, { trialDays: 14 });
    cancel(player);
    assert.equal(player.billing.status, 'canceled');
    assert.deepEqual(endOfPaidAccess(player.billing), stepTime('2026-01-24'));
    player.advanceThrough('2026-12-31');
    assert.equal(player.log.at(-1), '24/01/2026 06:00 end');
    assert.equal(player.charges.length, 0);
  });

  it('ends at once what waits for its first payment, which is withdrawn', () => {
    const boleto = card(() => 'unknown', { method: 'bank_slip' });
    const change = cancel(boleto);
    assert.deepEqual(change.payment, { kind: 'withdraw', cycle: 1 });
    assert.equal(boleto.billing.status, 'ended');
    assert.equal(boleto.invoices.get(1), 'void');
    assert.deepEqual(boleto.events, [
      'subscription.canceled',
      'subscription.inactivated',
      'subscription.ended',
    ]);
  });

  it('of an overdue one leaves 30 days for a reactivation, then it ends and its invoice is void', () => {
    const player = card(refusedIn(2)).advanceThrough('2026-02-12');
    cancel(player);
    assert.deepEqual(player.billing.endsAt, stepTime('2026-03-14'));
    assert.equal(endOfPaidAccess(player.billing), null);
    player.advanceThrough('2026-12-31');
    assert.equal(player.charges.length, 3);
    assert.equal(player.log.at(-1), '14/03/2026 06:00 end');
    assert.equal(player.invoices.get(2), 'void');
  });

  it('of an overdue one leaves 30 days even if nothing was ever paid', () => {
    const player = card(() => 'soft').advanceThrough('2026-01-20');
    assert.equal(player.billing.status, 'unpaid');
    cancel(player);
    assert.equal(player.billing.status, 'canceled');
    assert.deepEqual(player.billing.endsAt, stepTime('2026-02-19'));
  });

  it('withdraws a charge that was issued ahead, and gives back its credit', () => {
    const player = card(undefined, { method: 'bank_slip' }).advanceThrough('2026-01-20');
    player.billing = { ...player.billing, credit_centavos: 4_000 };
    player.advanceThrough('2026-02-06');
    assert.equal(player.charges.at(-1)!.amount_centavos, 6_000);
    const change = cancel(player);
    assert.deepEqual(change.payment, { kind: 'withdraw', cycle: 2 });
    assert.equal(player.billing.credit_centavos, 4_000);
    assert.equal(player.invoices.get(2), 'void');
    assert.deepEqual(player.billing.endsAt, stepTime('2026-02-10'));
  });

  it('does not stop a card charge whose outcome is unknown; its money is recorded and gives its period', () => {
    const player = card(({ cycle }) => (cycle === 2 ? 'unknown' : 'paid')).advanceThrough('2026-02-10');
    assert.equal(cancel(player).payment, null);
    player.settle('paid');
    assert.equal(player.billing.status, 'canceled');
    assert.equal(player.billing.paidCycles, 2);
    assert.deepEqual(player.billing.endsAt, stepTime('2026-03-10'));
  });

  it('drops a plan change that waits for the next cycle', () => {
    const player = card();
    player.billing = { ...player.billing, pendingPlan: player.billing.plan };
    cancel(player);
    assert.equal(player.billing.pendingPlan, null);
  });
});

describe('the cancellation of a Pix recurring subscription', () => {
  it('is final, also by the payer, and cancels the mandate', () => {
    for (const by of ['merchant', 'acquirer'] as const) {
      const player = pixRecurring();
      cancel(player, by);
      assert.deepEqual(player.events, [
        'subscription.canceled',
        'subscription.inactivated',
        'subscription.deleted',
      ]);
      assert.equal(player.billing.mandate?.state, 'canceled');
      assert.match(reactivationProblem(player.billing, player.now)!, /final/);
    }
  });

  it('leaves no next charge if it is final, or if nothing was ever paid', () => {
    const final = pixRecurring();
    const unpaid = card(() => 'soft');
    const paid = card();
    const after = ({ billing, now }: BillingPlayer) =>
      nextCharge(cancelBilling(billing, 'merchant', now).billing)?.on ?? null;
    assert.deepEqual([final, unpaid, paid].map(after), [null, null, '2026-02-10']);
  });

  it('withdraws a scheduled charge, and one that was sent until 22:00 of the day before', () => {
    const at = (day: string, hours: number) => {
      const player = pixRecurring().advanceTo(new Date(stepTime(day).getTime() + hours * 3_600_000));
      return cancel(player).payment;
    };
    assert.deepEqual(at('2026-02-07', 1), { kind: 'withdraw', cycle: 2 });
    assert.deepEqual(at('2026-02-09', 15.99), { kind: 'withdraw', cycle: 2 });
    assert.equal(at('2026-02-09', 16), null);
  });

  it('withdraws the payment of 0 of a mandate that waits for the payer', () => {
    const player = pixRecurring(undefined, { trialDays: 7 });
    assert.deepEqual(cancel(player).payment, { kind: 'withdraw', cycle: null });
    assert.equal(player.billing.status, 'ended');
  });

  it('leaves a mandate as it is that the payer has rejected', () => {
    const player = pixRecurring(undefined, { trialDays: 7 });
    player.apply(rejectMandate(player.billing)!, 'reject');
    assert.equal(cancel(player).payment, null);
    assert.equal(player.billing.mandate?.state, 'rejected');
  });

  it('keeps the trial of an authorized mandate to its end', () => {
    const player = pixRecurring(undefined, { trialDays: 7 });
    player.apply(authorizeMandate(player.billing)!, 'authorize');
    player.advanceThrough('2026-01-14');
    assert.deepEqual(cancel(player).payment, { kind: 'withdraw', cycle: 1 });
    assert.deepEqual(player.billing.endsAt, stepTime('2026-01-17'));
  });
});

describe('the reactivation of a subscription', () => {
  const reactivate = (player: BillingPlayer) => {
    assert.equal(reactivationProblem(player.billing, player.now), null);
    player.apply(reactivateBilling(player.billing, player.now), 'reactivate');
  };

  it('keeps the date of the next charge', () => {
    const player = card().advanceThrough('2026-01-20');
    cancel(player);
    reactivate(player);
    assert.equal(player.events.at(-1), 'subscription.updated');
    assert.equal(player.billing.status, 'active');
    assert.equal(player.billing.endsAt, null);
    assert.equal(nextCharge(player.billing)?.on, '2026-02-10');
    player.advanceThrough('2026-02-10');
    assert.equal(player.billing.paidCycles, 2);
  });

  it('charges an overdue cycle at the next step, with new retries', () => {
    const player = card(({ cycle, number }) => (cycle === 2 && number < 7 ? 'soft' : 'paid'));
    player.advanceThrough('2026-02-20');
    assert.equal(player.billing.status, 'unpaid');
    cancel(player);
    reactivate(player);
    assert.equal(player.invoices.get(2), 'past_due');
    player.advanceThrough('2026-02-20').runDue();
    assert.equal(player.charges.at(-1)!.createdOn, '2026-02-20');
    assert.equal(player.billing.status, 'past_due');
    player.advanceThrough('2026-02-21');
    assert.equal(player.billing.status, 'active');
    assert.equal(nextCharge(player.billing)?.on, '2026-03-10');
  });

  it('opens the cycle of a void invoice again', () => {
    const player = card(undefined, { method: 'pix' }).advanceThrough('2026-02-06');
    cancel(player);
    reactivate(player);
    player.advanceThrough('2026-02-10');
    assert.equal(player.invoices.get(2), 'paid');
    assert.equal(player.charges.at(-1)!.dueOn, '2026-02-10');
  });

  it('is refused after the end of the access, also if the step that ends it is late', () => {
    const player = card().advanceThrough('2026-01-20');
    cancel(player);
    assert.equal(reactivationProblem(player.billing, new Date(stepTime('2026-02-10').getTime() - 1)), null);
    assert.match(reactivationProblem(player.billing, stepTime('2026-02-10'))!, /access .* has ended/);
  });

  it('is refused without a successful charge, without a next charge, and in every other status', () => {
    const never = card(undefined, { trialDays: 14 });
    cancel(never);
    assert.match(reactivationProblem(never.billing, never.now)!, /never charged/);
    const finite: Plan = {
      offerId: null,
      interval: 'monthly',
      ladder: [{ start: 1, end: 1, amount_centavos: 1 }],
    };
    const over = card(undefined, { plan: finite });
    cancel(over);
    assert.match(reactivationProblem(over.billing, over.now)!, /no further charge/);
    const { billing, now } = card();
    for (const status of SUBSCRIPTION_STATUSES.filter((other) => other !== 'canceled')) {
      assert.match(reactivationProblem({ ...billing, status }, now)!, /Only a canceled/);
    }
  });
});

describe('a full refund or a lost chargeback', () => {
  it('of the latest cycle ends the subscription', () => {
    const player = card().advanceThrough('2026-02-12');
    player.events.length = 0;
    player.apply(revokeBilling(player.billing, 2, player.now)!, 'revoke');
    assert.equal(player.billing.status, 'ended');
    assert.deepEqual(player.events, ['subscription.inactivated', 'subscription.ended']);
    player.advanceThrough('2026-12-31');
    assert.equal(player.charges.length, 2);
  });

  it('of an earlier cycle changes nothing', () => {
    const player = card().advanceThrough('2026-02-12');
    assert.equal(revokeBilling(player.billing, 1, player.now), null);
  });

  it('ends a canceled subscription too, and not one that has ended', () => {
    const player = card().advanceThrough('2026-01-20');
    cancel(player);
    const revoked = revokeBilling(player.billing, 1, player.now)!;
    assert.equal(revoked.billing.status, 'ended');
    assert.deepEqual(revoked.billing.endsAt, player.now, 'access ends at once');
    assert.equal(revokeBilling(revoked.billing, 1, player.now), null);
    assert.equal(revokeBilling({ ...card().billing, status: 'completed' }, 1, player.now), null);
  });

  it('withdraws the charge of the next cycle, and cancels the mandate', () => {
    const player = pixRecurring().advanceThrough('2026-02-08');
    const revoked = revokeBilling(player.billing, 1, player.now)!;
    assert.deepEqual(revoked.payment, { kind: 'withdraw', cycle: 2 });
    assert.deepEqual(revoked.invoices, [{ cycle: 2, move: 'void', by: 'acquirer' }]);
    assert.equal(revoked.billing.mandate?.state, 'canceled');
  });

  it('voids the invoice of an overdue cycle', () => {
    const player = card(refusedIn(2)).advanceThrough('2026-02-12');
    const revoked = revokeBilling(player.billing, 1, player.now)!;
    assert.deepEqual(revoked.invoices, [{ cycle: 2, move: 'void', by: 'acquirer' }]);
    assert.equal(revoked.billing.openCycle, null);
  });

  it('gives back the credit that was to pay a part of an overdue cycle, as the end of a canceled subscription does', () => {
    const player = card(refusedIn(2)).advanceThrough('2026-01-20');
    player.billing = { ...player.billing, credit_centavos: 3_000 };
    player.advanceThrough('2026-02-12');
    assert.equal(player.billing.credit_centavos, 0);
    const revoked = revokeBilling(player.billing, 1, player.now)!;
    assert.equal(revoked.billing.credit_centavos, 3_000);
    cancel(player);
    assert.equal(player.billing.credit_centavos, 0, 'a reactivation charges the cycle less the credit');
    player.advanceThrough('2026-12-31');
    assert.deepEqual([player.billing.status, player.billing.credit_centavos], ['ended', 3_000]);
  });
});
