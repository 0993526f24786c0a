import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  NOTIFICATION_TYPES,
  type NotificationContent,
  type NotificationType,
  reportOf,
} from '../../../domain/payments/acquirer-notification.ts';
import { isFirstOperation, OPERATION_KINDS } from '../../../domain/payments/payment-operation.ts';
import { NO_CONTEXT, payment, UNNAMED, verdictOn } from '../../support/payment-records.ts';

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

  test('is about the method that it names, if its type allows that', () => {
    assert.deepEqual(reportOf(notification('pix.paid', 'pix'), 'pix_charge').methods, ['pix']);
    assert.deepEqual(reportOf(notification('pix.paid', 'credit_card'), 'pix_charge').methods, []);
    assert.deepEqual(reportOf(notification('bank_slip.paid', 'pix'), 'bank_slip_charge').methods, []);
    assert.deepEqual(reportOf(notification('refund.approved', 'pix'), 'refund').methods, ['pix']);
    for (const type of ['pix.paid', 'refund.approved'] as const)
      assert.equal(reportOf(notification(type), 'refund').methods, null);
  });
});
