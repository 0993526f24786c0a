/** What a move changes in a payment, and its amounts before and after: the ledger follows from these. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { transfersOf } from '../../../domain/ledger/transfers.ts';
import { STANDARD_FEES } from '../../../domain/merchants/payment-methods.ts';
import {
  amountsOf,
  type PaymentAmounts,
  type RecordedAmounts,
  settledStatus,
} from '../../../domain/payments/payment-amounts.ts';
import { type PaymentState, stateOf } from '../../../domain/payments/payment-state.ts';
import { planMoves, type RequestedMove } from '../../../domain/payments/plan-moves.ts';
import { AT, DUE, payment, plan } from '../../support/payments/planned-moves.ts';

/** Authorized, captured, refunding, refunded, disputed, charged back. */
type Amounts = readonly [number, number, number, number, number, number];

function listed(amounts: PaymentAmounts): Amounts {
  return [
    amounts.authorized_centavos,
    amounts.captured_centavos,
    amounts.refunding_centavos,
    amounts.refunded_centavos,
    amounts.disputed_centavos,
    amounts.charged_back_centavos,
  ];
}

function amounts(captured: number, refunding = 0, refunded = 0): RecordedAmounts {
  return { captured_centavos: captured, refunding_centavos: refunding, refunded_centavos: refunded };
}

describe('the amounts before and after', () => {
  const NOTHING: Amounts = [0, 0, 0, 0, 0, 0];
  const RESERVED: Amounts = [100, 0, 0, 0, 0, 0];
  const cases: [PaymentState, RecordedAmounts, RequestedMove, Amounts, Amounts][] = [
    ['processing', amounts(0), { move: 'await_payment' }, NOTHING, NOTHING],
    ['processing', amounts(0), { move: 'pre_authorize' }, NOTHING, RESERVED],
    ['processing', amounts(0), { move: 'authorize' }, NOTHING, RESERVED],
    ['AUTHORIZED', amounts(0), { move: 'settle', amount_centavos: 100 }, RESERVED, [0, 100, 0, 0, 0, 0]],
    ['waiting_payment', amounts(0), { move: 'settle', amount_centavos: 100 }, NOTHING, [0, 100, 0, 0, 0, 0]],
    ['pre_authorized', amounts(0), { move: 'suspect_fraud' }, RESERVED, NOTHING],
    ['capture_requested', amounts(0), { move: 'mark_capture_unknown' }, RESERVED, RESERVED],
    [
      'capture_requested',
      amounts(0),
      { move: 'capture', amount_centavos: 40 },
      RESERVED,
      [0, 40, 0, 0, 0, 0],
    ],
    [
      'capture_unknown',
      amounts(0),
      { move: 'capture', amount_centavos: 100 },
      RESERVED,
      [0, 100, 0, 0, 0, 0],
    ],
    ['capture_unknown', amounts(0), { move: 'fail_capture' }, RESERVED, RESERVED],
    ['void_unknown', amounts(0), { move: 'cancel' }, RESERVED, NOTHING],
    ['cancel_unknown', amounts(0), { move: 'cancel' }, NOTHING, NOTHING],
    [
      'refund_in_progress',
      amounts(100, 30, 10),
      { move: 'complete_refund', amount_centavos: 30 },
      [0, 100, 30, 10, 0, 0],
      [0, 100, 0, 40, 0, 0],
    ],
    [
      'refund_in_progress',
      amounts(100, 30, 10),
      { move: 'deny_refund', amount_centavos: 30 },
      [0, 100, 30, 10, 0, 0],
      [0, 100, 0, 10, 0, 0],
    ],
    [
      'partially_refunded',
      amounts(100, 0, 10),
      { move: 'request_chargeback' },
      [0, 100, 0, 10, 0, 0],
      [0, 100, 0, 10, 90, 0],
    ],
    [
      'chargeback_dispute',
      amounts(100),
      { move: 'lose_chargeback' },
      [0, 100, 0, 0, 100, 0],
      [0, 100, 0, 0, 0, 100],
    ],
    [
      'chargeback_dispute',
      amounts(100),
      { move: 'win_chargeback' },
      [0, 100, 0, 0, 100, 0],
      [0, 100, 0, 0, 0, 0],
    ],
  ];
  for (const [state, recorded, move, before, after] of cases) {
    test(`${state}: ${move.move}`, () => {
      const planned = plan(payment(state, recorded), move);
      assert.deepEqual([listed(planned.before), listed(planned.after)], [before, after]);
      assert.deepEqual(planned.after, amountsOf(planned.payment));
    });
  }

  test('a requested refund reserves its amount in addition to the others', () => {
    const requested = plan(
      payment('refund_in_progress', amounts(100, 20, 10)),
      { move: 'request_refund', amount_centavos: 70 },
      'merchant',
    );
    assert.deepEqual(listed(requested.after), [0, 100, 90, 10, 0, 0]);
  });

  test('several moves: each begins with the result of the one before', () => {
    const moves: RequestedMove[] = [{ move: 'authorize' }, { move: 'settle', amount_centavos: 100 }];
    const [authorized, settled] = planMoves(payment('processing'), moves, {
      by: 'acquirer',
      at: AT,
      fees: STANDARD_FEES,
    });
    assert.deepEqual(listed(authorized!.after), [100, 0, 0, 0, 0, 0]);
    assert.deepEqual(settled!.before, authorized!.after);
    assert.deepEqual(listed(settled!.after), [0, 100, 0, 0, 0, 0]);
  });
});

describe('impossible amounts are refused', () => {
  const cases: [PaymentState, RecordedAmounts, RequestedMove][] = [
    ['capture_requested', amounts(0), { move: 'capture', amount_centavos: 101 }],
    ['capture_requested', amounts(0), { move: 'capture', amount_centavos: 0 }],
    ['refund_in_progress', amounts(100, 30), { move: 'complete_refund', amount_centavos: 31 }],
    ['refund_in_progress', amounts(100, 30), { move: 'deny_refund', amount_centavos: 31 }],
  ];
  for (const [state, recorded, move] of cases) {
    test(`${state}: ${move.move} ${move.amount_centavos}`, () => {
      assert.throws(() => plan(payment(state, recorded), move), /cannot \w+ \d+ centavos/);
    });
  }

  test('a refund of more than is left', () => {
    const move: RequestedMove = { move: 'request_refund', amount_centavos: 61 };
    assert.throws(() => plan(payment('refund_in_progress', amounts(100, 30, 10)), move, 'merchant'));
  });
});

describe('the state after a move', () => {
  test('follows from the amounts if the move has several targets', () => {
    const ends: [RecordedAmounts, RequestedMove, PaymentState][] = [
      [amounts(100, 30), { move: 'complete_refund', amount_centavos: 30 }, 'partially_refunded'],
      [amounts(100, 100), { move: 'complete_refund', amount_centavos: 100 }, 'refunded'],
      [amounts(100, 100), { move: 'complete_refund', amount_centavos: 40 }, 'refund_in_progress'],
      [amounts(100, 30), { move: 'deny_refund', amount_centavos: 30 }, 'paid'],
      [amounts(100, 30, 10), { move: 'deny_refund', amount_centavos: 30 }, 'partially_refunded'],
    ];
    for (const [recorded, move, end] of ends) {
      assert.equal(stateOf(plan(payment('refund_in_progress', recorded), move).payment), end);
    }
    const won = plan(payment('chargeback_requested', amounts(100, 0, 100)), { move: 'win_chargeback' });
    assert.equal(won.payment.status, 'refunded');
  });

  test('stays that of the dispute when a refund changes the amounts', () => {
    const move: RequestedMove = { move: 'complete_refund', amount_centavos: 30 };
    const { payment: after } = plan(payment('chargeback_lost', amounts(100, 30)), move);
    assert.deepEqual([after.status, after.refunded_centavos], ['chargeback_lost', 30]);
  });

  test('throws if the move is not legal, or not for this actor', () => {
    assert.throws(
      () => plan(payment('pre_authorized'), { move: 'capture', amount_centavos: 100 }),
      /cannot capture/,
    );
    assert.throws(
      () => plan(payment('capture_requested'), { move: 'request_void' }, 'merchant'),
      /cannot request_void/,
    );
    assert.throws(
      () => plan(payment('pre_authorized'), { move: 'request_capture' }, 'acquirer'),
      /is not for/,
    );
  });
});

describe('what else a move changes', () => {
  test('a request for a capture, void or cancellation changes nothing that the merchant sees', () => {
    const requests = [
      ['pre_authorized', 'request_capture', 'capture'],
      ['pre_authorized', 'request_void', 'void'],
      ['waiting_payment', 'request_cancel', 'cancel'],
    ] as const;
    for (const [state, move, pendingOperation] of requests) {
      const before = payment(state, { dueAt: DUE });
      assert.deepEqual(plan(before, { move }, 'merchant').payment, { ...before, pendingOperation });
    }
  });

  test('a new status is a step of the history', () => {
    const { payment: after } = plan(payment('capture_requested'), { move: 'mark_capture_unknown' });
    assert.deepEqual(after.history.slice(1), [{ status: 'processing', at: AT }]);
    assert.equal(after.updatedAt, AT);
    const failed = plan(payment('capture_requested'), { move: 'fail_capture' }).payment;
    assert.equal(failed.history.length, 1);
    assert.deepEqual([failed.pendingOperation, failed.updatedAt], [null, AT]);
  });

  test('details are added to the payment, and the rest of it is kept', () => {
    const details = { method: { authorizationCode: 'A1' } };
    const { payment: after } = plan(payment('paid', amounts(100)), { move: 'add_data', details });
    assert.deepEqual(after.details, { ...payment('paid').details, authorizationCode: 'A1' });
    assert.deepEqual([after.status, after.history.length, after.updatedAt], ['paid', 1, AT]);
  });

  test('a due time is kept while the payment is open, and removed when it is paid or ends', () => {
    const waiting = plan(payment('processing'), { move: 'await_payment', details: { dueAt: DUE } }).payment;
    assert.equal(waiting.dueAt, DUE);
    const requested = plan(waiting, { move: 'request_cancel' }, 'merchant').payment;
    const unknown = plan(requested, { move: 'mark_cancel_unknown' }).payment;
    assert.equal(unknown.dueAt, DUE);
    assert.equal(plan(unknown, { move: 'fail_cancel' }).payment.dueAt, DUE);
    for (const move of [
      { move: 'settle', amount_centavos: 100 },
      { move: 'cancel' },
      { move: 'refuse' },
    ] as const) {
      assert.equal(plan(unknown, move).payment.dueAt, null, move.move);
    }
    assert.equal(plan(waiting, { move: 'expire' }, 'clock').payment.dueAt, null);
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
    test(`${captured} captured, ${refunded} refunded, ${refunding} being refunded: ${status}`, () => {
      assert.equal(settledStatus(amounts(captured, refunding, refunded)), status);
    });
  }
});

test('the amounts are those from which the ledger makes its transfers', () => {
  const { before, after } = plan(payment('capture_requested'), { move: 'capture', amount_centavos: 100 });
  const share = { share_centavos: 100, fee_centavos: 0, isLiable: true };
  const terms = {
    parties: [{ account: 'merchant' as const, ...share }],
    receivables: [{ amount_centavos: 100, availableOn: '2026-03-02' }],
  };
  const kinds = transfersOf(terms, { before, after }).map(({ kind, amount_centavos }) => [
    kind,
    amount_centavos,
  ]);
  assert.deepEqual(kinds, [['capture', 100]]);
});
