import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { mandateProblems } from '../../../domain/subscriptions/new-subscription-problems.ts';
import { asRefusal } from '../../../handlers/http/errors.ts';
import { pageRequest } from '../../../services/page-request.ts';
import { invalid, Refusal, type RefusalReason } from '../../../services/refusal.ts';

const thrownBy = (run: () => unknown): unknown => {
  try {
    run();
  } catch (error) {
    return error;
  }
  return assert.fail('It did not throw.');
};

describe('sentences of use cases name requests as the contract does', () => {
  for (const [reason, status, sentence] of [
    ['page_is_for_payments', 422, 'Buyers pay once at this page. Send POST /checkout/{hash}/payments.'],
    [
      'page_is_for_subscriptions',
      422,
      'Buyers subscribe at this page. Send POST /checkout/{hash}/subscriptions.',
    ],
    ['request_in_progress', 409, 'A request with this Idempotency-Key is still running. Try again shortly.'],
    [
      'idempotency_key_reused',
      422,
      'This Idempotency-Key was used for another request. Use a new key for a new request.',
    ],
  ] as const satisfies [RefusalReason, number, string][]) {
    test(reason, () => {
      const refusal = asRefusal(new Refusal(reason, { message: 'A sentence for the log.' }))!;
      assert.equal(refusal.status, status);
      assert.equal(refusal.fields?.status?.[0] ?? refusal.message, sentence);
    });
  }

  test('a field in braces', () => {
    const cursor = asRefusal(thrownBy(() => pageRequest({ cursor: 'nonsense' })))!;
    assert.deepEqual(cursor.fields, { cursor: ['Must be the `next_cursor` of an earlier page.'] });
    const plan = { interval: 'month', ladder: [] } as never;
    const both = { recurringAmount_centavos: 1, minAmount_centavos: 1 };
    const [problem] = mandateProblems(plan, both);
    assert.deepEqual(asRefusal(invalid({ a: problem!.sentence }))!.fields, {
      a: ['Must not be sent together with `recurring_amount`.'],
    });
  });
});
