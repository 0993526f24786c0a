import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { PAYMENT_STATUSES } from '../../../domain/payments/payment.ts';
import { recordOfState } from '../../../domain/payments/payment-state.ts';
import { PAYMENT_STATUS_MOVES } from '../../../domain/payments/payment-status-moves.ts';
import { STEPS } from './payment-steps.ts';

describe('the moves that merchants see', () => {
  test('name statuses only', () => {
    for (const [name, { from, to, keeps = [], events }] of Object.entries(PAYMENT_STATUS_MOVES)) {
      for (const status of [...from, ...to, ...keeps]) assert.ok(PAYMENT_STATUSES.includes(status), name);
      if (name !== 'send') assert.ok(events.length > 0, name);
    }
  });

  test('contain every change of the status', () => {
    for (const [from, move, ...targets] of STEPS) {
      const [before, ...after] = [from, ...targets].map((state) => recordOfState(state).status);
      const changes = after.filter((status) => status !== before);
      if (changes.length === 0) continue;
      const seen = PAYMENT_STATUS_MOVES[move];
      assert.ok(seen?.from.includes(before!) && changes.every((to) => seen.to.includes(to)), move);
    }
  });

  test('distinguish a failed cancellation of a card from that of a charge', () => {
    const { fail_void, fail_cancel } = PAYMENT_STATUS_MOVES;
    assert.deepEqual(
      [fail_void?.from, fail_void?.to],
      [['pre_authorized', 'processing'], ['pre_authorized']],
    );
    assert.deepEqual(
      [fail_cancel?.from, fail_cancel?.to],
      [['waiting_payment', 'processing'], ['waiting_payment']],
    );
  });
});
