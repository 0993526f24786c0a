import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  firstStepAt,
  isOver,
  stepAfterRefusal,
  stepAfterWait,
  stepAt,
} from '../../../domain/payments/authorization.ts';

const createdAt = new Date('2026-11-20T15:00:00Z');
const days = (count: number) => new Date(createdAt.getTime() + count * 86_400_000);
const byMerchant = { createdAt, details: { manualCapture: true } };
const after5Hours = { createdAt, details: { manualCapture: true, captureDelay_hours: 5 } };

test('an authorization that the merchant captures is voided after 7 days', () => {
  assert.deepEqual(firstStepAt(byMerchant), days(7));
  assert.equal(stepAt(byMerchant, days(7)), 'void');
});

test('an authorization with a delay is captured after it, and voided after 7 days', () => {
  const dueAt = firstStepAt(after5Hours);
  assert.deepEqual(dueAt, new Date('2026-11-20T20:00:00Z'));
  assert.equal(stepAt(after5Hours, dueAt), 'capture');
  assert.equal(stepAt(after5Hours, days(7)), 'void');
});

test('a refused capture is tried again every 6 hours until the authorization ends', () => {
  const next = (isRetryable: boolean, at: Date) =>
    stepAfterRefusal(after5Hours, { step: 'capture', isRetryable, refusedBefore: [] }, at);
  assert.deepEqual(next(true, days(1)), days(1.25));
  assert.deepEqual(next(true, days(6.9)), days(7));
  assert.deepEqual(next(false, days(1)), days(7));
});

test('a refused void is tried again a day later, until it has been refused three times', () => {
  const next = (at: Date, ...refusedBefore: Date[]) =>
    stepAfterRefusal(byMerchant, { step: 'void', isRetryable: false, refusedBefore }, at);
  assert.deepEqual(next(days(7)), days(8));
  assert.deepEqual(next(days(8), days(7)), days(9));
  assert.equal(next(days(9), days(8), days(7)), null);
  assert.deepEqual(next(days(20)), days(21), 'after an outage of the workers');
  assert.deepEqual(
    next(days(7), days(2), days(3)),
    days(8),
    'cancellations that the merchant requested before',
  );
});

test('an authorization is over when its 7 days have passed', () => {
  assert.deepEqual([isOver(byMerchant, days(6.999)), isOver(byMerchant, days(7))], [false, true]);
});

test('a capture that has to wait is due an hour later, or when the authorization ends', () => {
  assert.deepEqual(stepAfterWait(after5Hours, days(1)), days(1 + 1 / 24));
  assert.deepEqual(stepAfterWait(after5Hours, days(6.99)), days(7));
});
