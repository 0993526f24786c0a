import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  moveOfUpdate,
  type PaymentOnRecord,
  type UpdateName,
} from '../../../domain/payments/acquirer-report.ts';
import { judgeUpdate } from '../../../domain/payments/judge-update.ts';
import type { MandateUpdate } from '../../../domain/payments/methods/mandate-updates.ts';
import type { PixRecurringDetails } from '../../../domain/payments/methods/pix-recurring.ts';
import type { OperationKind } from '../../../domain/payments/payment-operation.ts';
import type { PaymentState } from '../../../domain/payments/payment-state.ts';
import {
  NO_CONTEXT,
  operation,
  PIX_RECURRING,
  payment,
  UNNAMED,
  verdictOn,
  word,
} from '../../support/payments/payment-records.ts';

const EVERY_UPDATE: Readonly<Record<MandateUpdate, true>> = {
  mandate_authorized: true,
  mandate_rejected: true,
  mandate_canceled: true,
};

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
    for (const state of ['expired', 'canceled'] as const) {
      assert.equal(judged('mandate_authorized', ask(state)), 'apply', state);
      assert.equal(moveOfUpdate('mandate_authorized', ask(state)), 'add_data', state);
    }
    assert.equal(judged('mandate_authorized', ask('refused')), 'illegal_move');
  });

  test('brings the id of the mandate of a first charge, before or after it is paid', () => {
    for (const state of ['processing', 'waiting_payment', 'paid', 'expired', 'refunded'] as const) {
      assert.equal(judged('mandate_authorized', first(state)), 'apply', state);
      const isUnpaid = state === 'processing' || state === 'waiting_payment';
      assert.equal(
        moveOfUpdate('mandate_authorized', first(state)),
        isUnpaid ? 'add_details' : 'add_data',
        state,
      );
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

  test('that ends an authorized mandate waits for the report of the authorization, or of the first charge', () => {
    const ended = (record: PaymentOnRecord, chargeCode: string | null) =>
      verdictOn('mandate_canceled', record, { mandate: { chargeCode, cancellationCode: 'ACCL' } });
    const paying = first('waiting_payment', { chargeCode: 'RR1' });
    for (const record of [ask('scheduled'), first('processing'), first('waiting_payment'), paying]) {
      assert.equal(ended(record, 'RR1'), 'wait a while', record.status);
    }
    for (const record of [ask('AUTHORIZED'), first('paid')]) assert.equal(ended(record, 'RR1'), 'apply');
    assert.equal(ended(ask('scheduled'), null), 'apply');
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
    for (const update of Object.keys(EVERY_UPDATE) as MandateUpdate[]) {
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
