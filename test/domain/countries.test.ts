import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isCountry } from '../../domain/countries.ts';

describe('a country', () => {
  it('is one of the 249 codes of ISO 3166-1', () => {
    for (const code of ['BR', 'PT', 'US', 'AX', 'SS']) assert.equal(isCountry(code), true, code);
    const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
    const codes = letters.flatMap((first) => letters.map((second) => first + second));
    assert.equal(codes.filter(isCountry).length, 249);
  });

  it('is not in lower case, of three letters, a number, user-assigned or retired', () => {
    for (const code of [
      'br',
      'Br',
      'BRA',
      '076',
      'XX',
      'ZZ',
      'XK',
      'UK',
      'AN',
      'EU',
      '',
      ' BR',
      'constructor',
    ]) {
      assert.equal(isCountry(code), false, code);
    }
  });
});
