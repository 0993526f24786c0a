import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { PAYMENT_STATUSES, type PaymentStatus, settledStatus } from '../../../domain/payments/payment.ts';
import {
  mayMove,
  PAYMENT_EVENTS,
  PAYMENT_MOVES,
  type PaymentMove,
  targetOf,
} from '../../../domain/payments/payment-transitions.ts';

const MOVES = Object.keys(PAYMENT_MOVES) as PaymentMove[];

/** Every step that contract row 7.4 and the events of the source text leave room for: from, by, to. */
const STEPS: readonly (readonly [PaymentStatus, PaymentMove, ...PaymentStatus[]])[] = [
  ['processing', 'await_payment', 'waiting_payment'],
  ['processing', 'pre_authorize', 'pre_authorized'],
  ['processing', 'authorize', 'AUTHORIZED'],
  ['processing', 'settle', 'paid'],
  ['processing', 'refuse', 'refused'],
  ['processing', 'suspect_fraud', 'refused'],
  ['processing', 'capture', 'paid'],
  ['processing', 'fail_capture', 'pre_authorized'],
  ['processing', 'cancel', 'canceled'],
  ['processing', 'fail_cancel', 'pre_authorized', 'waiting_payment'],
  ['waiting_payment', 'settle', 'paid'],
  ['waiting_payment', 'refuse', 'refused'],
  ['waiting_payment', 'suspect_fraud', 'refused'],
  ['waiting_payment', 'lose_sight', 'processing'],
  ['waiting_payment', 'cancel', 'canceled'],
  ['waiting_payment', 'fail_cancel', 'pre_authorized', 'waiting_payment'],
  ['waiting_payment', 'expire', 'expired'],
  ['pre_authorized', 'refuse', 'refused'],
  ['pre_authorized', 'suspect_fraud', 'refused'],
  ['pre_authorized', 'lose_sight', 'processing'],
  ['pre_authorized', 'capture', 'paid'],
  ['pre_authorized', 'fail_capture', 'pre_authorized'],
  ['pre_authorized', 'cancel', 'canceled'],
  ['pre_authorized', 'fail_cancel', 'pre_authorized', 'waiting_payment'],
  ['AUTHORIZED', 'settle', 'paid'],
  ['AUTHORIZED', 'refuse', 'refused'],
  ['AUTHORIZED', 'suspect_fraud', 'refused'],
  ['AUTHORIZED', 'cancel', 'canceled'],
  ['expired', 'settle', 'paid'],
  ['expired', 'fail_cancel', 'expired'],
  ['paid', 'fail_cancel', 'paid'],
  ['paid', 'request_refund', 'refund_in_progress'],
  ['partially_refunded', 'request_refund', 'refund_in_progress'],
  ['refund_in_progress', 'request_refund', 'refund_in_progress'],
  ['refund_in_progress', 'complete_refund', 'refund_in_progress', 'partially_refunded', 'refunded'],
  ['refund_in_progress', 'deny_refund', 'refund_in_progress', 'paid', 'partially_refunded'],
  ...(['paid', 'refund_in_progress', 'partially_refunded', 'refunded'] as const).map(
    (from) => [from, 'request_chargeback', 'chargeback_requested'] as const,
  ),
  ...(['chargeback_requested', 'chargeback_dispute'] as const).flatMap(
    (from) =>
      [
        [from, 'dispute_chargeback', 'chargeback_dispute'],
        [from, 'lose_chargeback', 'chargeback_lost'],
        [from, 'win_chargeback', 'paid', 'refund_in_progress', 'partially_refunded', 'refunded'],
      ] as const,
  ),
  ...(['chargeback_requested', 'chargeback_dispute', 'chargeback_lost'] as const).flatMap(
    (from) =>
      [
        [from, 'complete_refund', from],
        [from, 'deny_refund', from],
      ] as const,
  ),
];

describe('the transition table', () => {
  test('allows these steps and no other', () => {
    for (const from of PAYMENT_STATUSES) {
      for (const move of MOVES) {
        const step = STEPS.find(([status, by]) => status === from && by === move);
        const [, , ...targets] = step ?? [from, move];
        assert.equal(mayMove(move, from), targets.length > 0, `${from} ${move}`);
        for (const to of PAYMENT_STATUSES) {
          assert.equal(mayMove(move, from, to), targets.includes(to), `${from} ${move} ${to}`);
        }
      }
    }
  });

  test('tells every event of a payment, the first of which is its making', () => {
    const told = new Set<string>(MOVES.flatMap((move) => [...PAYMENT_MOVES[move].events]));
    assert.deepEqual(
      PAYMENT_EVENTS.filter((event) => !told.has(event)),
      ['payment.created'],
    );
    for (const move of MOVES) assert.ok(PAYMENT_MOVES[move].events.length > 0, move);
  });

  test('never takes a payment whose money was taken back to before', () => {
    const captured = new Set<PaymentStatus>(
      PAYMENT_STATUSES.filter((status) => /^(paid|refund|partially|chargeback)/.test(status)),
    );
    for (const [from, move, ...targets] of STEPS) {
      if (captured.has(from)) for (const to of targets) assert.ok(captured.has(to), `${from} ${move} ${to}`);
    }
  });

  test('has an end: refused and canceled payments move no more', () => {
    for (const move of MOVES) {
      assert.ok(!mayMove(move, 'refused') && !mayMove(move, 'canceled'), move);
    }
  });

  test('names the target where there is one, and asks for it where there are several', () => {
    assert.equal(targetOf('capture'), 'paid');
    assert.throws(() => targetOf('complete_refund'), /several targets/);
  });
});

describe('settledStatus', () => {
  for (const [captured, refunded, refunding, status] of [
    [100, 0, 0, 'paid'],
    [100, 0, 1, 'refund_in_progress'],
    [100, 99, 1, 'refund_in_progress'],
    [100, 1, 0, 'partially_refunded'],
    [100, 99, 0, 'partially_refunded'],
    [100, 100, 0, 'refunded'],
  ] as const) {
    test(`${refunded} given back and ${refunding} on its way of ${captured}: ${status}`, () => {
      const amounts = {
        captured_centavos: captured,
        refunded_centavos: refunded,
        refunding_centavos: refunding,
      };
      assert.equal(settledStatus(amounts), status);
    });
  }
});
