import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  PAYMENT_STATUSES,
  type PaymentStatus,
  type PendingOperation,
} from '../../../domain/payments/payment.ts';
import { PAYMENT_EVENTS } from '../../../domain/payments/payment-events.ts';
import { type PaymentMove, paymentMachine } from '../../../domain/payments/payment-moves.ts';
import {
  PAYMENT_STATES,
  type PaymentState,
  recordOfState,
  stateOf,
} from '../../../domain/payments/payment-state.ts';
import { PAYMENT_STATUS_MOVES } from '../../../domain/payments/payment-status-moves.ts';
import type { Actor } from '../../../domain/state-machine.ts';

const MOVES = Object.keys(paymentMachine.moves) as PaymentMove[];
const ACTORS: readonly Actor[] = ['merchant', 'acquirer', 'operator', 'clock'];

/** Every step that contract row 7.4 and the events of the specification leave room for: from, by, to. */
const STEPS: readonly (readonly [PaymentState, PaymentMove, ...PaymentState[]])[] = [
  ['scheduled', 'authorize_mandate', 'AUTHORIZED'],
  ['scheduled', 'send', 'waiting_payment'],
  ['scheduled', 'refuse', 'refused'],
  ['scheduled', 'suspect_fraud', 'refused'],
  ['scheduled', 'expire', 'expired'],
  ['scheduled', 'drop', 'canceled'],
  ['scheduled', 'cancel', 'canceled'],

  ['processing', 'await_payment', 'waiting_payment'],
  ['processing', 'pre_authorize', 'pre_authorized'],
  ['processing', 'authorize', 'AUTHORIZED'],
  ['processing', 'settle', 'paid'],
  ['processing', 'settle_first', 'paid'],
  ['processing', 'refuse', 'refused'],
  ['processing', 'suspect_fraud', 'refused'],
  ['processing', 'cancel', 'canceled'],

  ['waiting_payment', 'settle', 'paid'],
  ['waiting_payment', 'settle_first', 'paid'],
  ['waiting_payment', 'settle_recurring', 'paid'],
  ['waiting_payment', 'refuse', 'refused'],
  ['waiting_payment', 'suspect_fraud', 'refused'],
  ['processing', 'withdraw', 'processing'],
  ['waiting_payment', 'postpone', 'waiting_payment'],
  ['waiting_payment', 'withdraw', 'waiting_payment'],
  ['waiting_payment', 'request_cancel', 'cancel_requested'],
  ['waiting_payment', 'cancel', 'canceled'],
  ['waiting_payment', 'expire', 'expired'],

  ['cancel_requested', 'settle', 'paid'],
  ['cancel_requested', 'settle_first', 'paid'],
  ['cancel_requested', 'settle_recurring', 'paid'],
  ['cancel_requested', 'refuse', 'refused'],
  ['cancel_requested', 'suspect_fraud', 'refused'],
  ['cancel_requested', 'mark_cancel_unknown', 'cancel_unknown'],
  ['cancel_requested', 'cancel', 'canceled'],
  ['cancel_requested', 'fail_cancel', 'waiting_payment'],
  ['cancel_requested', 'fail_cancel_again', 'waiting_payment'],
  ['cancel_requested', 'repeat_cancel', 'waiting_payment'],
  ['cancel_requested', 'expire', 'expired'],
  ['cancel_unknown', 'settle', 'paid'],
  ['cancel_unknown', 'settle_first', 'paid'],
  ['cancel_unknown', 'settle_recurring', 'paid'],
  ['cancel_unknown', 'refuse', 'refused'],
  ['cancel_unknown', 'suspect_fraud', 'refused'],
  ['cancel_unknown', 'cancel', 'canceled'],
  ['cancel_unknown', 'fail_cancel', 'waiting_payment'],
  ['cancel_unknown', 'fail_unknown_cancel_again', 'waiting_payment'],
  ['cancel_unknown', 'repeat_unknown_cancel', 'waiting_payment'],

  ['pre_authorized', 'refuse', 'refused'],
  ['pre_authorized', 'suspect_fraud', 'refused'],
  ['pre_authorized', 'request_capture', 'capture_requested'],
  ['pre_authorized', 'request_void', 'void_requested'],
  ['pre_authorized', 'cancel', 'canceled'],
  ['pre_authorized', 'postpone', 'pre_authorized'],

  ['capture_requested', 'suspect_fraud', 'refused'],
  ['capture_requested', 'mark_capture_unknown', 'capture_unknown'],
  ['capture_requested', 'capture', 'paid'],
  ['capture_requested', 'fail_capture', 'pre_authorized'],
  ['capture_requested', 'repeat_step', 'pre_authorized'],
  ['capture_requested', 'cancel', 'canceled'],
  ['capture_unknown', 'suspect_fraud', 'refused'],
  ['capture_unknown', 'capture', 'paid'],
  ['capture_unknown', 'fail_capture', 'pre_authorized'],
  ['capture_unknown', 'repeat_unknown_step', 'pre_authorized'],
  ['capture_unknown', 'cancel', 'canceled'],

  ['void_requested', 'suspect_fraud', 'refused'],
  ['void_requested', 'mark_void_unknown', 'void_unknown'],
  ['void_requested', 'cancel', 'canceled'],
  ['void_requested', 'fail_void', 'pre_authorized'],
  ['void_requested', 'repeat_step', 'pre_authorized'],
  ['void_unknown', 'suspect_fraud', 'refused'],
  ['void_unknown', 'cancel', 'canceled'],
  ['void_unknown', 'fail_void', 'pre_authorized'],
  ['void_unknown', 'repeat_unknown_step', 'pre_authorized'],

  ['AUTHORIZED', 'settle', 'paid'],
  ['AUTHORIZED', 'settle_cycle', 'paid'],
  ['AUTHORIZED', 'refuse', 'refused'],
  ['AUTHORIZED', 'suspect_fraud', 'refused'],
  ['AUTHORIZED', 'cancel', 'canceled'],

  ['expired', 'settle', 'paid'],
  ['expired', 'settle_first', 'paid'],
  ['expired', 'settle_recurring', 'paid'],
  ['expired', 'fail_cancel', 'expired'],
  ['expired', 'fail_cancel_again', 'expired'],
  ['paid', 'fail_cancel', 'paid'],
  ['paid', 'fail_cancel_again', 'paid'],

  ['paid', 'request_refund', 'refund_in_progress'],
  ['partially_refunded', 'request_refund', 'refund_in_progress'],
  ['refund_in_progress', 'request_refund', 'refund_in_progress'],
  ['refund_in_progress', 'complete_refund', 'refund_in_progress', 'partially_refunded', 'refunded'],
  ['refund_in_progress', 'deny_refund', 'refund_in_progress', 'paid', 'partially_refunded'],
  ...(['paid', 'refund_in_progress', 'partially_refunded'] as const).map(
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
  ...PAYMENT_STATES.map((state) => [state, 'add_details', state] as const),
  ...PAYMENT_STATES.filter((state) => /^(paid|refund_|refunded|partially|chargeback)/.test(state)).map(
    (state) => [state, 'post_entries', state] as const,
  ),
];

/** Who asks for each move. The acquirer reports all the others. */
const ASKED_BY: Readonly<Partial<Record<PaymentMove, readonly Actor[]>>> = {
  request_capture: ['merchant', 'clock'],
  request_void: ['merchant', 'clock'],
  postpone: ['clock'],
  withdraw: ['merchant', 'acquirer', 'clock'],
  request_cancel: ['merchant', 'clock'],
  request_refund: ['merchant'],
  expire: ['acquirer', 'clock'],
  send: ['clock'],
  drop: ['merchant', 'acquirer', 'clock'],
  post_entries: ['clock'],
};

describe('the state machine of payments', () => {
  test('allows these steps and no others', () => {
    for (const from of PAYMENT_STATES) {
      for (const move of MOVES) {
        const [, , ...targets] = STEPS.find(([state, by]) => state === from && by === move) ?? [from, move];
        assert.equal(paymentMachine.allows(move, from), targets.length > 0, `${from} ${move}`);
        for (const to of PAYMENT_STATES) {
          assert.equal(paymentMachine.allows(move, from, to), targets.includes(to), `${from} ${move} ${to}`);
        }
      }
    }
  });

  test('allows each step only for the actors that may request it', () => {
    for (const [from, move, ...targets] of STEPS) {
      for (const by of ACTORS) {
        const isAllowed = (ASKED_BY[move] ?? ['acquirer']).includes(by);
        for (const to of targets) {
          const next = () => paymentMachine.next(move, from, { by, to });
          if (isAllowed) assert.equal(next(), to);
          else assert.throws(next, /is not for/, `${from} ${move} by ${by}`);
        }
      }
    }
  });

  test('emits every event of a payment, except the event of its creation', () => {
    const emitted = new Set<string>(MOVES.flatMap((move) => [...paymentMachine.moves[move].events]));
    assert.deepEqual(
      PAYMENT_EVENTS.filter((event) => !emitted.has(event)),
      ['payment.created'],
    );
  });

  test('emits an event with every change of the status, except when a scheduled charge is sent', () => {
    for (const [from, move, ...targets] of STEPS) {
      const isSeen = targets.some((to) => recordOfState(to).status !== recordOfState(from).status);
      if (isSeen && move !== 'send')
        assert.ok(paymentMachine.moves[move].events.length > 0, `${from} ${move}`);
    }
    const silent = MOVES.filter((move) => paymentMachine.moves[move].events.length === 0);
    assert.deepEqual(silent, [
      'send',
      'request_capture',
      'request_void',
      'repeat_step',
      'postpone',
      'withdraw',
      'request_cancel',
      'fail_cancel_again',
      'repeat_cancel',
      'add_details',
      'post_entries',
    ]);
  });

  test('emits the events of Pix Automático in their order', () => {
    const eventsOf = (move: PaymentMove) => paymentMachine.moves[move].events;
    assert.deepEqual(eventsOf('authorize_mandate'), ['payment.authorized']);
    assert.deepEqual(eventsOf('settle_first'), ['payment.authorized', 'payment.updated']);
    assert.deepEqual(eventsOf('settle_recurring'), ['payment.capture_confirmed']);
    assert.deepEqual(eventsOf('drop'), ['payment.canceled']);
  });

  test('keeps a captured payment captured', () => {
    const captured = new Set<PaymentState>(
      PAYMENT_STATUSES.filter((status) => /^(paid|refund|partially|chargeback)/.test(status)),
    );
    for (const [from, move, ...targets] of STEPS) {
      if (captured.has(from)) for (const to of targets) assert.ok(captured.has(to), `${from} ${move} ${to}`);
    }
  });

  test('ends: a refused or canceled payment can only get details', () => {
    for (const move of MOVES) {
      for (const state of ['refused', 'canceled'] as const) {
        assert.equal(paymentMachine.allows(move, state), move === 'add_details', move);
      }
    }
  });

  test('has no move between two different pending operations', () => {
    const operationOf = (state: PaymentState) => recordOfState(state).pendingOperation;
    for (const [from, move, ...targets] of STEPS) {
      const before = operationOf(from);
      for (const after of targets.map(operationOf)) {
        assert.ok(before === null || after === null || after === before, `${from} ${move}`);
      }
    }
  });
});

describe('the state of a payment', () => {
  test('can be read from its record, and written to it', () => {
    for (const state of PAYMENT_STATES) assert.equal(stateOf(recordOfState(state)), state);
    assert.equal(PAYMENT_STATES.length, PAYMENT_STATUSES.length + 6);
  });

  const pending: [PaymentStatus, PendingOperation, PaymentState][] = [
    ['pre_authorized', 'capture', 'capture_requested'],
    ['processing', 'capture', 'capture_unknown'],
    ['pre_authorized', 'void', 'void_requested'],
    ['processing', 'void', 'void_unknown'],
    ['waiting_payment', 'cancel', 'cancel_requested'],
    ['processing', 'cancel', 'cancel_unknown'],
  ];
  for (const [status, pendingOperation, state] of pending) {
    test(`${status} with a pending ${pendingOperation} is ${state}`, () => {
      assert.equal(stateOf({ status, pendingOperation }), state);
    });
  }
});

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
