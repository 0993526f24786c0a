import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { shownFieldName, shownFieldPath } from '../../domain/field-names.ts';

describe('the name of a field in an answer', () => {
  it('is unchanged if it could be a name of the contract', () => {
    for (const name of ['amount', 'credit_card', 'expMonth', 'Idempotency-Key', '12', 'line_1', 'a.b', '']) {
      assert.equal(shownFieldName(name), name);
    }
  });

  it('is hidden if it has twelve digits in a row, also with separators between them', () => {
    for (const name of ['123456789012', '1234-5678 9012', 'n:4242…4242…4242', '1\u200b2\u200b3456789012']) {
      assert.equal(shownFieldName(name), '[hidden]', name);
    }
    for (const name of ['12345678901', '2026-11-21T12:00:00Z', '1234a5678b9012', '1234    56789012']) {
      assert.equal(shownFieldName(name), name);
    }
  });

  it('never shows more than 64 characters, half a character, or NUL', () => {
    const unit = fc.constantFrom('a', '1', '\0', '\ud800', '🙂', '.');
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 200 }), (name) => {
        const shown = shownFieldName(name);
        assert.ok(shown.length <= 64);
        assert.ok(shown.isWellFormed() && !shown.includes('\0'));
      }),
    );
  });

  it('is found quickly, however long the name is', () => {
    const before = process.cpuUsage();
    for (const unit of ['1', '1-', '1   a', '-', 'a']) {
      for (let n = 0; n < 100; n += 1) shownFieldName(unit.repeat(100_000));
    }
    const { user } = process.cpuUsage(before);
    assert.ok(user < 500_000, `${user} µs`);
  });
});

describe('the path of a field', () => {
  it('joins the names with dots, and has at most 256 characters', () => {
    assert.equal(shownFieldPath(['items', '3', 'amount']), 'items.3.amount');
    assert.equal(shownFieldPath(['metadata', '4242424242424242']), 'metadata.[hidden]');
    assert.equal(shownFieldPath(Array(32).fill('x'.repeat(64))).length, 256);
  });
});
