import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AcquirerUpdate, UpdateName } from '../../../domain/payments/acquirer-report.ts';
import { judgeUpdate } from '../../../domain/payments/judge-update.ts';
import type { BankSlipDetails } from '../../../domain/payments/methods/bank-slip.ts';
import { PAYMENT_STATUSES, type PaymentStatus } from '../../../domain/payments/payment.ts';
import { PAYMENT_STATES, type PaymentState, recordOfState } from '../../../domain/payments/payment-state.ts';
import {
  NO_CONTEXT,
  operation,
  payment,
  UNNAMED,
  verdictOn,
  word,
} from '../../support/payments/payment-records.ts';

/** The updates of a payment itself, not of its mandate. */
type PaymentUpdate = Exclude<UpdateName, `mandate_${string}`>;

describe('an update of a payment', () => {
  /** What each update is in each status, where that is not a discrepancy. */
  const KNOWN: Readonly<Record<PaymentUpdate, Partial<Record<PaymentStatus, string>>>> = {
    charge_paid: {
      waiting_payment: 'apply',
      expired: 'apply',
      AUTHORIZED: 'apply',
      ...everyCaptured('known'),
    },
    charge_refused: {
      waiting_payment: 'apply',
      pre_authorized: 'apply',
      AUTHORIZED: 'apply',
      refused: 'known',
      expired: 'known',
    },
    charge_expired: { waiting_payment: 'apply', expired: 'known' },
    fraud_detected: { waiting_payment: 'apply', pre_authorized: 'apply', AUTHORIZED: 'apply' },
    voided: { waiting_payment: 'apply', pre_authorized: 'apply', AUTHORIZED: 'apply', canceled: 'known' },
    chargeback_requested: {
      paid: 'apply',
      refund_in_progress: 'apply',
      partially_refunded: 'apply',
      ...everyDisputed('known'),
      waiting_payment: 'wait a while',
      expired: 'wait a while',
    },
    chargeback_dispute: {
      ...everySettled('wait a while'),
      chargeback_requested: 'apply',
      chargeback_dispute: 'apply',
      chargeback_lost: 'known',
      waiting_payment: 'wait a while',
      expired: 'wait a while',
    },
    chargeback_won: {
      ...everySettled('wait a while'),
      chargeback_requested: 'apply',
      chargeback_dispute: 'apply',
      waiting_payment: 'wait a while',
      expired: 'wait a while',
    },
    chargeback_lost: {
      ...everySettled('wait a while'),
      chargeback_requested: 'apply',
      chargeback_dispute: 'apply',
      chargeback_lost: 'known',
      waiting_payment: 'wait a while',
      expired: 'wait a while',
    },
  };
  const FROM_PROCESSING: Partial<Record<UpdateName, string>> = {
    charge_paid: 'apply',
    charge_refused: 'apply',
    fraud_detected: 'apply',
    voided: 'apply',
  };

  const VOIDING = ['void_requested', 'void_unknown'] as const;
  const CAPTURING = ['capture_requested', 'capture_unknown'] as const;
  const CANCELING = ['cancel_requested', 'cancel_unknown'] as const;
  /** The states with a pending operation in which the update still applies. */
  const WHILE_PENDING: Readonly<Partial<Record<UpdateName, readonly PaymentState[]>>> = {
    charge_paid: CANCELING,
    charge_refused: CANCELING,
    charge_expired: ['cancel_requested'],
    fraud_detected: [...CAPTURING, ...VOIDING, ...CANCELING],
    voided: [...CAPTURING, ...VOIDING, ...CANCELING],
  };

  const FROM_SCHEDULED: Partial<Record<UpdateName, string>> = {
    charge_refused: 'apply',
    charge_expired: 'apply',
    fraud_detected: 'apply',
    voided: 'apply',
  };

  for (const name of Object.keys(KNOWN) as PaymentUpdate[]) {
    test(name, () => {
      for (const status of PAYMENT_STATUSES) {
        const expected =
          status === 'processing'
            ? (FROM_PROCESSING[name] ?? 'wait')
            : status === 'scheduled'
              ? (FROM_SCHEDULED[name] ?? 'wait')
              : (KNOWN[name][status] ?? 'illegal_move');
        assert.equal(verdictOn(name, payment(status)), expected, status);
      }
    });

    test(`${name}: waits for the outcome of an open operation, unless it applies`, () => {
      const open = { ...NO_CONTEXT, hasOpenOperation: true };
      for (const status of PAYMENT_STATUSES) {
        const alone = verdictOn(name, payment(status));
        const expected = ['apply', 'known'].includes(alone) ? alone : 'wait';
        assert.equal(verdictOn(name, payment(status), {}, open), expected, status);
      }
    });

    test(`${name}: waits or applies while a capture, void or cancellation is pending`, () => {
      const open = { ...NO_CONTEXT, hasOpenOperation: true };
      const applied = PAYMENT_STATES.filter((state) => {
        const isPending = recordOfState(state).pendingOperation !== null;
        const verdict = verdictOn(name, payment(state), {}, open);
        if (isPending && verdict !== 'apply') assert.equal(verdict, 'wait', state);
        return isPending && verdict === 'apply';
      });
      assert.deepEqual(applied, WHILE_PENDING[name] ?? []);
    });

    test(`${name}: its fields are compared in every status`, () => {
      for (const status of PAYMENT_STATUSES) {
        const judged = (claims: Partial<AcquirerUpdate>) => verdictOn(name, payment(status), claims);
        assert.equal(judged({ amount_centavos: null }), 'amount_missing');
        assert.equal(judged({ amount_centavos: 101 }), 'amount_mismatch');
        assert.equal(judged({ amount_centavos: 0 }), 'amount_mismatch');
        assert.equal(judged({ methods: ['pix'] }), 'method_mismatch');
        assert.equal(judged({ methods: null }), 'method_missing');
      }
    });

    test(`${name}: its reference must be that of the authorization or charge`, () => {
      for (const kind of ['capture', 'cancel', 'refund'] as const) {
        const methods = ['credit_card'] as const;
        const report = { update: name, methods, amount_centavos: 100, ...UNNAMED };
        const verdict = judgeUpdate(report, payment('paid'), operation(kind), NO_CONTEXT);
        assert.equal(word(verdict), 'operation_mismatch');
      }
    });
  }

  test('fraud is known if it is the reason of the refusal', () => {
    const refusal = { code: 'fraud', message: '', retryable: false };
    assert.equal(verdictOn('fraud_detected', { ...payment('refused'), refusal }), 'known');
  });

  test('a boleto that was paid late expired before: only an expiry from after its payment is a discrepancy', () => {
    const steps = [
      ['waiting_payment', 1],
      ['paid', 5],
      ['partially_refunded', 9],
    ] as const;
    const history = steps.map(([status, at]) => ({ status, at: new Date(at) }));
    for (const status of ['paid', 'partially_refunded'] as const) {
      const paid = { ...payment(status, 'bank_slip'), history };
      const expired = (at: number) => verdictOn('charge_expired', paid, { occurredAt: new Date(at) });
      assert.deepEqual([4, 5, 6, 10].map(expired), ['known', 'known', 'illegal_move', 'illegal_move']);
    }
    // Our clock was behind that of the acquirer when the payment arrived.
    const ahead = { ...payment('paid', 'bank_slip'), history };
    const details = { ...(ahead.details as BankSlipDetails), paidAt: new Date(20) };
    const expired = (at: number) =>
      verdictOn('charge_expired', { ...ahead, details }, { occurredAt: new Date(at) });
    assert.deepEqual([6, 20, 21].map(expired), ['known', 'known', 'illegal_move']);
    const pix = { ...payment('paid', 'pix'), history };
    assert.equal(verdictOn('charge_expired', pix, { occurredAt: new Date(4) }), 'illegal_move');
  });

  test('a paid Pix has one transfer; another one is a discrepancy', () => {
    const paid = payment('paid', 'pix');
    assert.equal(verdictOn('charge_paid', paid, { endToEndId: 'E1' }), 'known');
    assert.equal(verdictOn('charge_paid', paid, { endToEndId: null }), 'known');
    assert.equal(verdictOn('charge_paid', paid, { endToEndId: 'E2' }), 'paid_twice');
    assert.equal(verdictOn('charge_paid', payment('waiting_payment', 'pix'), { endToEndId: 'E2' }), 'apply');
  });

  test('a boleto is paid once: a report of another time is a discrepancy', () => {
    const paid = payment('paid', 'bank_slip');
    assert.equal(verdictOn('charge_paid', paid), 'known');
    const since = { ...paid, details: { ...paid.details, paidAt: new Date(5) } };
    const reported = (at: number) => verdictOn('charge_paid', since, { occurredAt: new Date(at) });
    assert.deepEqual([4, 5, 6].map(reported), ['paid_twice', 'known', 'paid_twice']);
  });

  test('a transfer pays one Pix; a report about a second one is a discrepancy', () => {
    const used = { ...NO_CONTEXT, isTransferUsed: true };
    for (const status of ['waiting_payment', 'expired', 'paid'] as const)
      assert.equal(
        verdictOn('charge_paid', payment(status, 'pix'), { endToEndId: 'E1' }, used),
        'transfer_reused',
      );
  });

  test('a dispute that was won is over: a later update of it is known, another end is a discrepancy', () => {
    const won = { ...payment('paid'), history: payment('chargeback_requested').history };
    assert.equal(verdictOn('chargeback_dispute', won), 'known');
    assert.equal(verdictOn('chargeback_won', won), 'known');
    assert.equal(verdictOn('chargeback_lost', won), 'illegal_move');
  });

  test('after a dispute was won, only a request from after its end opens a new dispute', () => {
    const steps = [
      ['chargeback_requested', 1],
      ['chargeback_dispute', 2],
      ['paid', 3],
      ['refund_in_progress', 9],
    ] as const;
    const won = { ...payment('paid'), history: steps.map(([status, at]) => ({ status, at: new Date(at) })) };
    const requested = (at: number) => verdictOn('chargeback_requested', won, { occurredAt: new Date(at) });
    assert.deepEqual([1, 3, 4, 10].map(requested), ['known', 'known', 'apply', 'apply']);
  });

  test('late reports of a dispute that was won before a full refund are known; one that was lost is not', () => {
    const steps = [
      ['paid', 1],
      ['refund_in_progress', 4],
      ['refunded', 5],
    ] as const;
    const history = steps.map(([status, at]) => ({ status, at: new Date(at) }));
    const refunded = { ...payment('refunded'), history };
    const verdictAt = (name: PaymentUpdate, at: number) =>
      verdictOn(name, refunded, { occurredAt: new Date(at) });
    assert.deepEqual(
      [5, 6].map((at) => verdictAt('chargeback_requested', at)),
      ['known', 'illegal_move'],
    );
    for (const name of ['chargeback_dispute', 'chargeback_won'] as const) {
      assert.deepEqual(
        [5, 6].map((at) => verdictAt(name, at)),
        ['known', 'wait a while'],
        name,
      );
    }
    assert.equal(verdictAt('chargeback_lost', 5), 'wait a while');
  });
});

type Words = Partial<Record<PaymentStatus, string>>;

function everySettled(verdict: string): Words {
  return {
    paid: verdict,
    refund_in_progress: verdict,
    partially_refunded: verdict,
    refunded: verdict,
  };
}

function everyDisputed(verdict: string): Words {
  return { chargeback_requested: verdict, chargeback_dispute: verdict, chargeback_lost: verdict };
}

function everyCaptured(verdict: string): Words {
  return { ...everySettled(verdict), ...everyDisputed(verdict) };
}
