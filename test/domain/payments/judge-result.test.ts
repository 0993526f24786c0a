import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { OperationOnRecord, OperationResult } from '../../../domain/payments/acquirer-report.ts';
import { judgeResult } from '../../../domain/payments/judge-result.ts';
import { OPERATION_KINDS, type OperationKind } from '../../../domain/payments/payment-operation.ts';
import { PAYMENT_STATES, type PaymentState } from '../../../domain/payments/payment-state.ts';
import {
  CAPTURED,
  CARD,
  methodOf,
  operation,
  payment,
  result,
  word,
} from '../../support/payments/payment-records.ts';

describe('the result of a pending operation', () => {
  /** States in which each result settles the operation; in every other one it is a discrepancy. */
  const uncaptured = PAYMENT_STATES.filter((state) => !CAPTURED.test(state));
  const disputed = ['chargeback_requested', 'chargeback_dispute', 'chargeback_lost'];
  const pending = PAYMENT_STATES.filter(
    (state) => /_(requested|unknown)$/.test(state) && !CAPTURED.test(state),
  );
  const APPLIES: Readonly<
    Record<OperationKind, Readonly<Record<'approved' | 'refused', readonly string[]>>>
  > = {
    authorize: { approved: PAYMENT_STATES, refused: uncaptured },
    pix_charge: { approved: PAYMENT_STATES, refused: uncaptured },
    bank_slip_charge: { approved: PAYMENT_STATES, refused: uncaptured },
    mandate: { approved: PAYMENT_STATES, refused: uncaptured },
    mandate_charge: { approved: PAYMENT_STATES, refused: uncaptured },
    cancel_mandate: { approved: PAYMENT_STATES, refused: PAYMENT_STATES },
    capture: { approved: ['capture_requested', 'capture_unknown'], refused: uncaptured },
    cancel: {
      approved: [
        'scheduled',
        'processing',
        'pre_authorized',
        'waiting_payment',
        'AUTHORIZED',
        'canceled',
        ...pending,
      ],
      refused: PAYMENT_STATES,
    },
    refund: {
      approved: ['refund_in_progress', ...disputed],
      refused: ['refund_in_progress', ...disputed],
    },
  };

  for (const kind of OPERATION_KINDS) {
    for (const how of ['approved', 'refused'] as const) {
      test(`${kind} ${how}`, () => {
        for (const state of PAYMENT_STATES) {
          const verdict = word(
            judgeResult(result(kind, how), payment(state, methodOf(kind)), operation(kind)),
          );
          assert.equal(verdict, APPLIES[kind][how].includes(state) ? 'apply' : 'illegal_move', state);
        }
      });
    }

    test(`${kind} is still pending: nothing changes`, () => {
      for (const state of ['pending', 'approved', 'refused'] as const) {
        const verdict = judgeResult(
          result(kind, 'pending'),
          payment('processing', methodOf(kind)),
          operation(kind, state),
        );
        assert.equal(word(verdict), 'known');
      }
    });
  }
});

describe('the approval of an authorization with automatic capture', () => {
  const judged = (state: PaymentState, record: OperationOnRecord) => {
    const automatic = { ...payment(state), details: { ...CARD, manualCapture: false } };
    return word(judgeResult(result('authorize', 'approved'), automatic, record));
  };

  test('applies only to a payment that has not changed since', () => {
    for (const state of PAYMENT_STATES) {
      const expected = state === 'processing' ? 'apply' : 'illegal_move';
      assert.equal(judged(state, operation('authorize')), expected, state);
    }
  });

  test('contradicts a refusal for fraud', () => {
    const refused = { ...operation('authorize', 'refused'), refusalCode: 'fraud' };
    assert.equal(judged('refused', refused), 'approved_after_refusal');
  });
});

describe('the result of an operation that is settled', () => {
  const judged = (how: OperationResult['result'], record: OperationOnRecord) =>
    word(judgeResult(result(record.kind, how), payment('paid', methodOf(record.kind)), record));

  for (const kind of OPERATION_KINDS) {
    test(`${kind}: the same result is known, and the opposite is a discrepancy`, () => {
      assert.equal(judged('approved', operation(kind, 'approved')), 'known');
      assert.equal(judged('refused', operation(kind, 'refused')), 'known');
      assert.equal(judged('refused', operation(kind, 'approved')), 'refused_after_approval');
      assert.equal(judged('approved', operation(kind, 'refused')), 'approved_after_refusal');
    });

    test(`${kind}: an approval after a suspicion of fraud is known only for an authorization`, () => {
      const refused = { ...operation(kind, 'refused'), refusalCode: 'fraud' };
      assert.equal(judged('approved', refused), kind === 'authorize' ? 'known' : 'approved_after_refusal');
    });
  }
});

describe('the fields of a result', () => {
  for (const kind of OPERATION_KINDS) {
    for (const state of ['pending', 'approved', 'refused'] as const) {
      for (const how of ['approved', 'refused', 'pending'] as const) {
        test(`${kind} ${how}, ${state} in our records: are compared in every state`, () => {
          const judge = (wrong: Partial<OperationResult>) =>
            word(
              judgeResult(
                { ...result(kind, how), ...wrong },
                payment('processing', methodOf(kind)),
                operation(kind, state),
              ),
            );
          assert.equal(judge({ amount_centavos: null }), 'amount_missing');
          for (const amount_centavos of [0, 99, 101])
            assert.equal(judge({ amount_centavos }), 'amount_mismatch');
          assert.equal(judge({ methods: ['browser_wallet'] }), 'method_mismatch');
          assert.equal(judge({ methods: [] }), 'method_mismatch');
          assert.equal(judge({ methods: null }), 'method_missing');
          const operation_ = kind === 'refund' ? 'capture' : 'refund';
          assert.equal(judge({ operation: operation_ }), 'operation_mismatch');
        });
      }
    }
  }
});
