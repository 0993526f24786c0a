import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { TimedRefund } from '../../../domain/ledger/disputed-amount.ts';
import {
  NOTIFICATION_TYPES,
  type NotificationContent,
  type NotificationType,
  reportOf,
} from '../../../domain/payments/acquirer-notification.ts';
import { isFirstOperation, OPERATION_KINDS } from '../../../domain/payments/payment-operation.ts';
import type { RefundStatus } from '../../../domain/payments/refund.ts';
import { NO_CONTEXT, payment, UNNAMED, verdictOn } from '../../support/payments/payment-records.ts';

/** The time of the report; refunds have times before and after it. */
const AT = 5;

function refund(amount_centavos: number, status: RefundStatus, from: number, to = from): TimedRefund {
  return { amount_centavos, status, createdAt: new Date(from), updatedAt: new Date(to) };
}

describe('the amount of a chargeback', () => {
  const judged = (amount_centavos: number, refunds: readonly TimedRefund[], captured_centavos = 90) =>
    verdictOn(
      'chargeback_requested',
      { ...payment('paid'), amount_centavos: captured_centavos, captured_centavos },
      { amount_centavos, occurredAt: new Date(AT) },
      { ...NO_CONTEXT, refunds },
    );

  test('is the captured amount', () => {
    assert.equal(judged(90, []), 'apply');
    for (const wrong of [0, 1, 89, 91, 100]) assert.equal(judged(wrong, []), 'amount_mismatch');
  });

  test('is less by the refunds that had succeeded', () => {
    const early = refund(30, 'succeeded', 1, 4);
    assert.equal(judged(60, [early]), 'apply');
    for (const wrong of [1, 30, 59, 61, 89, 90, 91]) assert.equal(judged(wrong, [early]), 'amount_mismatch');
  });

  test('may be less by the refunds that had no result, or got it in the same moment', () => {
    for (const open of [
      refund(30, 'succeeded', 1, AT),
      refund(30, 'denied', 1, AT),
      refund(30, 'in_progress', 1),
      refund(30, 'succeeded', 1, 6),
      refund(30, 'denied', 1, 6),
      refund(30, 'succeeded', 6, 7),
    ]) {
      for (const right of [60, 90]) assert.equal(judged(right, [open]), 'apply');
      for (const wrong of [1, 30, 59, 61, 89, 91]) assert.equal(judged(wrong, [open]), 'amount_mismatch');
    }
    const several = [10, 20, 20].map((amount) => refund(amount, 'in_progress', 1));
    for (const right of [40, 50, 60, 70, 80, 90]) assert.equal(judged(right, several), 'apply');
    for (const wrong of [41, 45, 55, 85]) assert.equal(judged(wrong, several), 'amount_mismatch');
  });

  test('is not less by a refund that was denied before, or that was requested later and denied', () => {
    for (const denied of [refund(30, 'denied', 1, 4), refund(30, 'denied', 6, 7)]) {
      assert.equal(judged(90, [denied]), 'apply');
      assert.equal(judged(60, [denied]), 'amount_mismatch');
    }
  });

  test('is never zero', () => {
    assert.equal(judged(90, [refund(90, 'in_progress', 1)]), 'apply');
    for (const wrong of [0, 1, 89]) {
      assert.equal(judged(wrong, [refund(90, 'in_progress', 1)]), 'amount_mismatch');
      assert.equal(judged(wrong, [refund(90, 'succeeded', 1)]), 'amount_mismatch');
    }
  });

  test('is compared quickly with many refunds; what cannot be compared does not match', () => {
    const many = Array.from({ length: 400 }, (_, i) => refund(i + 1_000, 'in_progress', 1));
    const captured_centavos = 1_000_000_000;
    assert.equal(judged(captured_centavos, many, captured_centavos), 'apply');
    assert.equal(judged(captured_centavos - 1_000, many, captured_centavos), 'apply');
    for (const wrong of [1, captured_centavos - 999, captured_centavos - 400_001]) {
      assert.equal(judged(wrong, many, captured_centavos), 'amount_mismatch');
    }
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
