import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isCentavos } from '../../domain/money.ts';

describe('centavos', () => {
  it('are integers from zero that a number holds exactly', () => {
    for (const value of [0, 1, Number.MAX_SAFE_INTEGER]) assert.equal(isCentavos(value), true);
    for (const value of [-1, 1.5, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY, '1', null, 1n]) {
      assert.equal(isCentavos(value), false, String(value));
    }
  });
});
