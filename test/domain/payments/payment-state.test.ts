import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  PAYMENT_STATUSES,
  type PaymentStatus,
  type PendingOperation,
} from '../../../domain/payments/payment.ts';
import {
  PAYMENT_STATES,
  type PaymentState,
  recordOfState,
  stateOf,
} from '../../../domain/payments/payment-state.ts';

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
