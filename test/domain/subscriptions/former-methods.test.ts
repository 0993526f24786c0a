/** An open charge of a method that another one has replaced follows the rules of its own method. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cancelBilling } from '../../../domain/subscriptions/cancel-billing.ts';
import { changeMethod, changeToMandate } from '../../../domain/subscriptions/change-method.ts';
import type { BillingChange } from '../../../domain/subscriptions/engine/change.ts';
import { revokeBilling } from '../../../domain/subscriptions/revoke-billing.ts';
import { card, NOW, pixRecurring } from '../../support/subscriptions/billing-players.ts';
import {
  type Acquirer,
  afternoonOf,
  type BillingPlayer,
  waitingMandate,
} from '../../support/subscriptions/play-billing.ts';

/** Later than 22:00 of the day before the second charge is due. */
const AFTER_DEADLINE = new Date('2026-02-09T22:30:00-03:00');
const answers: Acquirer = ({ cycle }) => (cycle === 1 ? 'paid' : 'unknown');

function change(player: BillingPlayer, method: 'pix' | 'bank_slip'): BillingChange {
  const changed = changeMethod(player.billing, { method, mandate: null }, 'merchant', player.now);
  player.apply(changed, 'change_method');
  return changed;
}

describe('a charge of the former method that is still open', () => {
  /** A charge by a mandate. Its subscription changes to Pix after the deadline. */
  const atPayersBank = () => {
    const player = pixRecurring(answers).advanceTo(AFTER_DEADLINE);
    assert.equal(change(player, 'pix').payment, null);
    return player;
  };

  it('cannot be withdrawn after the deadline of the former method', () => {
    const canceled = atPayersBank();
    const cancellation = cancelBilling(canceled.billing, 'merchant', canceled.now);
    assert.deepEqual([cancellation.payment, cancellation.invoices], [null, []]);
    assert.equal(cancellation.billing.openCycle?.cycle, 2);

    const refunded = atPayersBank();
    const revocation = revokeBilling(refunded.billing, 1, refunded.now)!;
    assert.deepEqual([revocation.payment, revocation.invoices], [null, []]);

    const changed = atPayersBank();
    assert.equal(change(changed, 'bank_slip').payment, null);
  });

  it('can be withdrawn at any time if it is a boleto', () => {
    const player = card(answers, { method: 'bank_slip' });
    player.settle('paid');
    player.advanceTo(AFTER_DEADLINE);
    const mandate = waitingMandate(NOW, { state: 'authorized' });
    const billing = { ...player.billing, method: 'pix_recurring', mandate } as const;
    const { payment } = cancelBilling(billing, 'merchant', player.now);
    assert.deepEqual(payment, { kind: 'withdraw', cycle: 2 });
  });

  it('cannot be withdrawn after the deadline before the first payment, if its mandate is authorized', () => {
    const player = card(() => 'unknown', { startOn: '2026-02-10' });
    const terms = { method: 'pix_recurring' as const, terms: waitingMandate(NOW), plan: null };
    player.apply(changeToMandate(player.billing, terms, NOW, true), 'change_method');
    player.advanceTo(AFTER_DEADLINE);
    assert.equal(player.billing.openCycle?.attempt?.isSent, true);
    assert.equal(player.billing.status, 'payment_pending');
    assert.equal(cancelBilling(player.billing, 'merchant', player.now).payment, null);
  });

  it('of the first cycle is replaced by a boleto that is issued on the billing date and due 3 days later', () => {
    const player = card(() => 'unknown', { startOn: '2026-02-10' });
    const terms = { method: 'pix_recurring' as const, terms: waitingMandate(NOW), plan: null };
    player.apply(changeToMandate(player.billing, terms, NOW, true), 'change_method');
    player.advanceTo(afternoonOf('2026-02-07'));
    assert.deepEqual(change(player, 'bank_slip').payment, { kind: 'withdraw', cycle: 1 });
    assert.deepEqual(player.billing.openCycle?.next, { createOn: '2026-02-10', dueOn: '2026-02-13' });
  });
});
