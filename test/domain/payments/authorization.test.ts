import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstStepAt, stepAfterRefusal, stepAt } from '../../../domain/payments/authorization.ts';

const createdAt = new Date('2026-11-20T15:00:00Z');
const days = (count: number) => new Date(createdAt.getTime() + count * 86_400_000);
const byMerchant = { createdAt, details: {} };
const after5Hours = { createdAt, details: { captureDelay_hours: 5 } };

test('an authorization that the merchant captures is voided after 7 days', () => {
  assert.deepEqual(firstStepAt(byMerchant), days(7));
  assert.equal(stepAt({ ...byMerchant, dueAt: days(7) }, days(7)), 'void');
});

test('an authorization with a delay is captured after it, and voided after 7 days if that was refused', () => {
  const dueAt = firstStepAt(after5Hours);
  assert.deepEqual(dueAt, new Date('2026-11-20T20:00:00Z'));
  assert.equal(stepAt({ ...after5Hours, dueAt }, dueAt), 'capture');
  assert.deepEqual(stepAfterRefusal({ ...after5Hours, dueAt }, dueAt), days(7));
  assert.equal(stepAt({ ...after5Hours, dueAt: days(7) }, days(7)), 'void');
});

test('a refused void is tried again on the next two days', () => {
  const next = (at: Date) => stepAfterRefusal({ ...byMerchant, dueAt: at }, at);
  assert.deepEqual([next(days(7)), next(days(8)), next(days(9))], [days(8), days(9), null]);
  assert.equal(next(days(20)), null, 'after an outage of the workers');
});

test('a refusal of what the merchant requested earlier does not change the time', () => {
  assert.deepEqual(stepAfterRefusal({ ...byMerchant, dueAt: days(7) }, days(3)), days(7));
  assert.equal(stepAfterRefusal({ ...byMerchant, dueAt: null }, days(20)), null);
});
