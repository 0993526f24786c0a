import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { centavosOf, formatBrl, isCentavos, sumCentavos } from '../../domain/money.ts';

describe('centavos', () => {
  it('are integers from zero that a number holds exactly', () => {
    for (const value of [0, 1, Number.MAX_SAFE_INTEGER]) assert.equal(isCentavos(value), true);
    for (const value of [-1, 1.5, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY, '1', null, 1n]) {
      assert.equal(isCentavos(value), false, String(value));
    }
  });

  it('are summed, or refused where the sum would not be exact', () => {
    assert.equal(sumCentavos([]), 0);
    assert.equal(sumCentavos([1, 2, -3, 40]), 40);
    for (const amounts of [[Number.MAX_SAFE_INTEGER, 1], [0.5, 0.5], [Number.NaN]]) {
      assert.throws(() => sumCentavos(amounts), RangeError);
    }
  });

  it('come from the database as text', () => {
    assert.deepEqual(['0', '100', '-5', '9007199254740991'].map(centavosOf), [
      0,
      100,
      -5,
      Number.MAX_SAFE_INTEGER,
    ]);
    for (const text of ['', '1.5', '1e3', ' 1', '0x10', '9007199254740993']) {
      assert.throws(() => centavosOf(text), RangeError, text);
    }
  });
});

describe('R$', () => {
  it('has dots for thousands and a comma', () => {
    const written = [0, 5, 99, 100, 123456, 100000000, -12345].map((value) =>
      formatBrl(value).replace('\u00a0', ' '),
    );
    assert.deepEqual(written, [
      'R$ 0,00',
      'R$ 0,05',
      'R$ 0,99',
      'R$ 1,00',
      'R$ 1.234,56',
      'R$ 1.000.000,00',
      '-R$ 123,45',
    ]);
    assert.throws(() => formatBrl(0.5), RangeError);
  });

  it('reads as Intl writes it', () => {
    const intl = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' });
    fc.assert(
      fc.property(fc.integer({ min: -(10 ** 13), max: 10 ** 13 }), (value) => {
        assert.equal(formatBrl(value), intl.format(value / 100));
      }),
    );
  });
});
