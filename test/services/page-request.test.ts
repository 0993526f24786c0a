import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { encodeCursor } from '../../domain/cursor.ts';
import { datedPageRequest, pageRequest } from '../../services/page-request.ts';
import { Refusal } from '../../services/refusal.ts';

describe('the page of a list request', () => {
  it('is the newest 20 rows by default', () => {
    assert.deepEqual(pageRequest({}), { perPage: 20, after: null, createdFrom: null, createdBefore: null });
  });

  it('begins after the row of the cursor, to the microsecond', () => {
    const last = { createdAt: '2026-03-01T12:00:00.123456Z', id: '01a1fe6a-22b8-7a0d-aaba-4b156961c049' };
    assert.deepEqual(pageRequest({ cursor: encodeCursor(last) }).after, last);
  });

  it('spans whole days in the merchant’s time zone, and includes both instants', () => {
    const days = datedPageRequest({ createdFrom: '2026-03-01', createdTo: '2026-03-01' });
    assert.equal(days.createdFrom, '2026-03-01T03:00:00.000000Z');
    assert.equal(days.createdBefore, '2026-03-02T03:00:00.000000Z');
    const instant = '2026-03-01T12:00:00Z';
    const one = datedPageRequest({ createdFrom: instant, createdTo: instant });
    assert.equal(one.createdFrom, '2026-03-01T12:00:00.000000Z');
    assert.equal(one.createdBefore, '2026-03-01T12:00:00.000001Z');
  });

  it('is refused with all its malformed parameters at once', () => {
    const input = { cursor: 'x', createdFrom: '2024-02-30', createdTo: 'tomorrow' };
    assert.throws(
      () => datedPageRequest(input),
      (error: unknown) => {
        assert.ok(error instanceof Refusal);
        assert.deepEqual(Object.keys(error.fields ?? {}), ['cursor', 'createdFrom', 'createdTo']);
        return true;
      },
    );
  });
});
