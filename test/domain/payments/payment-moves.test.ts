import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { PAYMENT_STATUSES } from '../../../domain/payments/payment.ts';
import { type PaymentMove, paymentMachine } from '../../../domain/payments/payment-moves.ts';
import { PAYMENT_STATES, type PaymentState, recordOfState } from '../../../domain/payments/payment-state.ts';
import type { Actor } from '../../../domain/state-machine.ts';
import contract from '../../../generated/openapi.json' with { type: 'json' };
import { STEPS } from './payment-steps.ts';

const MOVES = Object.keys(paymentMachine.moves) as PaymentMove[];
const ACTORS: readonly Actor[] = ['merchant', 'acquirer', 'operator', 'clock'];

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
    const names = contract.components.schemas.EventName.enum;
    const events = names.filter((name) => name.startsWith('payment.'));
    assert.deepEqual(
      events.filter((event) => !emitted.has(event)),
      ['payment.created'],
    );
    assert.ok([...emitted].every((event) => events.includes(event)));
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
        assert.equal(paymentMachine.allows(move, state), ['add_data', 'add_details'].includes(move), move);
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
