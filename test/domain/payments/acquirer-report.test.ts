import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  NOTIFICATION_TYPES,
  type NotificationContent,
  type NotificationType,
  reportOf,
} from '../../../domain/payments/acquirer-notification.ts';
import {
  type AcquirerUpdate,
  moveOfUpdate,
  type OperationOnRecord,
  type OperationResult,
  type PaymentOnRecord,
  type UpdateName,
  type Verdict,
} from '../../../domain/payments/acquirer-report.ts';
import { judgeResult } from '../../../domain/payments/judge-result.ts';
import { judgeUpdate, type UpdateContext } from '../../../domain/payments/judge-update.ts';
import type { BankSlipDetails } from '../../../domain/payments/methods/bank-slip.ts';
import type { CardDetails } from '../../../domain/payments/methods/credit-card.ts';
import { MANDATE_UPDATES } from '../../../domain/payments/methods/mandate-updates.ts';
import type { PixDetails } from '../../../domain/payments/methods/pix.ts';
import type { PixRecurringDetails } from '../../../domain/payments/methods/pix-recurring.ts';
import { PAYMENT_STATUSES, type PaymentStatus } from '../../../domain/payments/payment.ts';
import {
  isFirstOperation,
  OPERATION_KINDS,
  type OperationKind,
} from '../../../domain/payments/payment-operation.ts';
import { PAYMENT_STATES, type PaymentState, recordOfState } from '../../../domain/payments/payment-state.ts';

const CAPTURED = /^(paid|refund|partially|chargeback)/;

const CARD: CardDetails = {
  cardId: 'd',
  brand: 'visa',
  first6: '424242',
  last4: '4242',
  statementDescriptor: null,
  manualCapture: true,
  authorizationCode: null,
};
const PIX: PixDetails = { txid: 't', qrCode: null, qrImage: null, expiresAt: new Date(0), endToEndId: null };

const PIX_RECURRING: PixRecurringDetails = {
  mandateId: 'm',
  role: 'authorization',
  txid: null,
  qrCode: null,
  qrImage: null,
  expiresAt: new Date(0),
  chargeCode: null,
  acquirerReference: null,
  endToEndId: null,
};

const BANK_SLIP: BankSlipDetails = {
  dueDate: '2026-11-24',
  expiresAt: new Date(0),
  barcode: null,
  digitableLine: null,
  payer: {
    name: 'Ana Souza',
    document: '52998224725',
    address: {
      type: 'billing',
      line1: 'Avenida Paulista',
      number: '1578',
      neighborhood: 'Bela Vista',
      city: 'São Paulo',
      state: 'SP',
      postalCode: '01310200',
      country: 'BR',
    },
  },
};

function detailsOf(method: PaymentOnRecord['method'], isPaid: boolean): PaymentOnRecord['details'] {
  if (method === 'pix') return { ...PIX, endToEndId: isPaid ? 'E1' : null };
  if (method === 'pix_recurring') return PIX_RECURRING;
  return method === 'bank_slip' ? BANK_SLIP : CARD;
}

/** A payment of 100 centavos that is in a state. */
function payment(state: PaymentState, method: PaymentOnRecord['method'] = 'credit_card'): PaymentOnRecord {
  const { status, pendingOperation } = recordOfState(state);
  const disputed = status.startsWith('chargeback_') ? (['chargeback_requested', status] as const) : [status];
  return {
    status,
    pendingOperation,
    method,
    amount_centavos: 100,
    captured_centavos: CAPTURED.test(status) ? 100 : 0,
    refusal: status === 'refused' ? { code: 'do_not_honor', message: '', retryable: true } : null,
    history: disputed.map((one) => ({ status: one, at: new Date(0) })),
    details: detailsOf(method, CAPTURED.test(status)),
  };
}

function operation(kind: OperationKind, state: OperationOnRecord['state'] = 'pending'): OperationOnRecord {
  return { kind, state, amount_centavos: 100, refusalCode: state === 'refused' ? 'do_not_honor' : null };
}

function word(verdict: Verdict): string {
  if (verdict.verdict === 'wait') return verdict.hasTimeLimit ? 'wait a while' : 'wait';
  return verdict.verdict === 'discrepancy' ? verdict.reason : verdict.verdict;
}

const METHODS: Partial<Record<OperationKind, PaymentOnRecord['method']>> = {
  pix_charge: 'pix',
  bank_slip_charge: 'bank_slip',
  mandate: 'pix_recurring',
  mandate_charge: 'pix_recurring',
  cancel_mandate: 'pix_recurring',
};
const methodOf = (kind: OperationKind) => METHODS[kind] ?? 'credit_card';

function result(kind: OperationKind, how: OperationResult['result']): OperationResult {
  return { operation: kind, result: how, methods: [methodOf(kind)], amount_centavos: 100 };
}

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
          const operation_ = kind === 'refund' ? 'capture' : 'refund';
          assert.equal(judge({ operation: operation_ }), 'operation_mismatch');
        });
      }
    }
  }
});

/** The updates of a payment itself, not of its mandate. */
type PaymentUpdate = Exclude<UpdateName, `mandate_${string}`>;

const UNNAMED = { endToEndId: null, occurredAt: new Date(1) };
const NO_CONTEXT: UpdateContext = { hasOpenOperation: false, isTransferUsed: false, refunds_centavos: [] };

const FIRST_OPERATIONS: Partial<Record<PaymentOnRecord['method'], OperationKind>> = {
  pix: 'pix_charge',
  pix_recurring: 'mandate',
};

function verdictOn(
  name: UpdateName,
  record: PaymentOnRecord,
  claims: Partial<AcquirerUpdate> = {},
  context = NO_CONTEXT,
) {
  const report: AcquirerUpdate = { update: name, methods: null, amount_centavos: 100, ...UNNAMED, ...claims };
  return word(
    judgeUpdate(
      report,
      record,
      operation(FIRST_OPERATIONS[record.method] ?? 'authorize', 'approved'),
      context,
    ),
  );
}

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
      refunded: 'apply',
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
      }
    });

    test(`${name}: its reference must be that of the authorization or charge`, () => {
      for (const kind of ['capture', 'cancel', 'refund'] as const) {
        const report = { update: name, methods: null, amount_centavos: 100, ...UNNAMED };
        const verdict = judgeUpdate(report, payment('paid'), operation(kind), NO_CONTEXT);
        assert.equal(word(verdict), 'operation_mismatch');
      }
    });
  }

  test('fraud is known if it is the reason of the refusal', () => {
    const refusal = { code: 'fraud', message: '', retryable: false };
    assert.equal(verdictOn('fraud_detected', { ...payment('refused'), refusal }), 'known');
  });

  test('a paid Pix has one transfer; another one is a discrepancy', () => {
    const paid = payment('paid', 'pix');
    assert.equal(verdictOn('charge_paid', paid, { endToEndId: 'E1' }), 'known');
    assert.equal(verdictOn('charge_paid', paid, { endToEndId: null }), 'known');
    assert.equal(verdictOn('charge_paid', paid, { endToEndId: 'E2' }), 'paid_twice');
    assert.equal(verdictOn('charge_paid', payment('waiting_payment', 'pix'), { endToEndId: 'E2' }), 'apply');
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
});

describe('an update of a mandate', () => {
  const ask = (state: PaymentState, changes: Partial<PixRecurringDetails> = {}): PaymentOnRecord => ({
    ...payment(state, 'pix_recurring'),
    details: { ...PIX_RECURRING, ...changes },
  });
  const first = (state: PaymentState, changes: Partial<PixRecurringDetails> = {}) =>
    ask(state, { role: 'first_charge', txid: 't', ...changes });
  const judged = (update: UpdateName, record: PaymentOnRecord) => verdictOn(update, record);

  test('authorizes a payment that only asks for the mandate, once, and not after its expiry', () => {
    assert.equal(judged('mandate_authorized', ask('scheduled')), 'apply');
    assert.equal(judged('mandate_authorized', ask('AUTHORIZED', { chargeCode: 'RR1' })), 'known');
    for (const state of ['expired', 'refused', 'canceled'] as const)
      assert.equal(judged('mandate_authorized', ask(state)), 'illegal_move', state);
  });

  test('brings the id of the mandate of a first charge, before or after it is paid', () => {
    for (const state of ['processing', 'waiting_payment', 'paid', 'expired', 'refunded'] as const) {
      assert.equal(judged('mandate_authorized', first(state)), 'apply', state);
      assert.equal(moveOfUpdate('mandate_authorized', first(state)), 'add_details', state);
      assert.equal(judged('mandate_authorized', first(state, { chargeCode: 'RR1' })), 'known', state);
    }
  });

  test('refuses the payment of a mandate that is rejected, but not one that is paid', () => {
    for (const record of [ask('scheduled'), first('waiting_payment'), first('processing')])
      assert.equal(judged('mandate_rejected', record), 'apply');
    for (const record of [ask('refused'), first('expired')])
      assert.equal(judged('mandate_rejected', record), 'known');
    assert.equal(judged('mandate_rejected', first('paid')), 'illegal_move');
  });

  test('cancels a payment that waits for its payer, and leaves any other as it is', () => {
    for (const record of [ask('scheduled'), first('waiting_payment')])
      assert.equal(moveOfUpdate('mandate_canceled', record), 'cancel');
    for (const state of ['AUTHORIZED', 'paid', 'expired', 'canceled', 'refunded'] as const) {
      assert.equal(moveOfUpdate('mandate_canceled', first(state)), 'add_details', state);
      assert.equal(judged('mandate_canceled', first(state)), 'apply', state);
    }
  });

  test('must name the request for the mandate, and a payment by Pix Automático', () => {
    const report = { methods: ['pix_recurring'] as const, amount_centavos: 100, ...UNNAMED };
    for (const update of MANDATE_UPDATES) {
      const charge = first('waiting_payment', { role: 'later_charge' });
      const judge = (record: PaymentOnRecord, kind: OperationKind) =>
        word(judgeUpdate({ ...report, update }, record, operation(kind, 'approved'), NO_CONTEXT));
      assert.equal(judge(charge, 'mandate_charge'), 'operation_mismatch');
      assert.equal(judge(payment('waiting_payment', 'pix'), 'pix_charge'), 'method_mismatch');
    }
  });
});

describe('the money of Pix Automático', () => {
  test('settles a first charge and a later charge by moves of their own, also late', () => {
    for (const [role, move] of [
      ['first_charge', 'settle_first'],
      ['later_charge', 'settle_recurring'],
    ] as const) {
      for (const state of ['waiting_payment', 'expired', 'cancel_requested'] as const) {
        const details = { ...PIX_RECURRING, role, txid: 't' };
        const record = { ...payment(state, 'pix_recurring'), details };
        assert.equal(moveOfUpdate('charge_paid', record), move);
        assert.equal(verdictOn('charge_paid', record, { endToEndId: 'E1' }), 'apply', `${role} ${state}`);
      }
    }
  });
});

describe('the amount of a chargeback', () => {
  const judged = (amount_centavos: number, refunds_centavos: readonly number[], captured_centavos = 90) =>
    verdictOn(
      'chargeback_requested',
      { ...payment('paid'), amount_centavos: captured_centavos, captured_centavos },
      { amount_centavos },
      { ...NO_CONTEXT, refunds_centavos },
    );

  test('is the captured amount', () => {
    assert.equal(judged(90, []), 'apply');
    for (const wrong of [0, 1, 89, 91, 100]) assert.equal(judged(wrong, []), 'amount_mismatch');
  });

  test('is less by the refunds that the acquirer had recorded before', () => {
    for (const right of [60, 90]) assert.equal(judged(right, [30]), 'apply');
    for (const wrong of [1, 30, 59, 61, 89, 91]) assert.equal(judged(wrong, [30]), 'amount_mismatch');
    for (const right of [40, 50, 60, 70, 80, 90]) assert.equal(judged(right, [10, 20, 20]), 'apply');
    for (const wrong of [41, 45, 55, 85]) assert.equal(judged(wrong, [10, 20, 20]), 'amount_mismatch');
  });

  test('is never zero, also if everything was refunded', () => {
    assert.equal(judged(90, [90]), 'apply');
    for (const wrong of [0, 1, 89]) assert.equal(judged(wrong, [90]), 'amount_mismatch');
  });

  test('is compared quickly with many refunds', () => {
    const many = Array.from({ length: 400 }, (_, i) => i + 1_000);
    const captured_centavos = 1_000_000_000;
    assert.equal(judged(captured_centavos, many, captured_centavos), 'apply');
    assert.equal(judged(captured_centavos - 1_000, many, captured_centavos), 'apply');
    assert.equal(judged(captured_centavos - 999, many, captured_centavos), 'amount_mismatch');
    assert.equal(judged(1, many, captured_centavos), 'amount_mismatch');
  });
});

describe('a notification', () => {
  const notification = (type: NotificationType, method: NotificationContent['method'] = null) =>
    ({ type, method, amount_centavos: 100, ...UNNAMED }) as const;

  test('is a result or an update; the release of a whole payment is an update', () => {
    for (const type of NOTIFICATION_TYPES) {
      const isResult = /^(authorization|capture|cancel|refund)\.(approved|refused)$/.test(type);
      assert.equal('result' in reportOf(notification(type), 'refund'), isResult, type);
    }
    for (const kind of OPERATION_KINDS) {
      const released = reportOf(notification('cancel.approved'), kind);
      const isWhole = isFirstOperation(kind);
      assert.equal('update' in released && released.update, isWhole ? 'voided' : false);
      assert.ok('result' in reportOf(notification('cancel.refused'), kind));
    }
  });

  test('can be about the methods of its type, or only about the one that it names', () => {
    assert.deepEqual(reportOf(notification('pix.paid'), 'pix_charge').methods, ['pix']);
    assert.deepEqual(reportOf(notification('pix.paid', 'pix'), 'pix_charge').methods, ['pix']);
    assert.deepEqual(reportOf(notification('pix.paid', 'credit_card'), 'pix_charge').methods, []);
    assert.deepEqual(reportOf(notification('bank_slip.paid'), 'bank_slip_charge').methods, ['bank_slip']);
    assert.deepEqual(reportOf(notification('bank_slip.paid', 'pix'), 'bank_slip_charge').methods, []);
    assert.equal(reportOf(notification('refund.approved'), 'refund').methods, null);
    assert.deepEqual(reportOf(notification('refund.approved', 'pix'), 'refund').methods, ['pix']);
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
