import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  type InstallmentTerms,
  installmentAmounts,
  installmentOption,
  installmentOptions,
} from '../../domain/installments.ts';
import { sumOf } from '../../domain/money.ts';

const seed = 20_261_123;

const WITHOUT_INTEREST: InstallmentTerms = {
  maxInstallments: 12,
  interestFreeInstallments: null,
  interest: {},
};
const WITH_INTEREST: InstallmentTerms = {
  maxInstallments: 6,
  interestFreeInstallments: 2,
  interest: { 2: 199, 3: 299, 4: 399, 6: 650 },
};

describe('installments', () => {
  it('are equal, and the first has the odd centavos', () => {
    assert.deepEqual(installmentAmounts(100, 3), [34, 33, 33]);
    assert.deepEqual(installmentAmounts(100, 1), [100]);
    assert.deepEqual(installmentAmounts(1200, 12), Array(12).fill(100));
    assert.deepEqual(installmentAmounts(11, 12), [11, ...Array(11).fill(0)]);
  });

  it('add up to the amount, and the first is at most eleven centavos more', () => {
    fc.assert(
      fc.property(fc.nat(2 ** 42), fc.integer({ min: 1, max: 12 }), (amount, count) => {
        const [first, ...others] = installmentAmounts(amount, count);
        assert.equal(sumOf([first!, ...others]), amount);
        for (const other of others) assert.ok(first! >= other && first! - other < 12);
      }),
      { seed },
    );
  });
});

describe('interest', () => {
  it('is a rate of the merchant on the whole amount', () => {
    assert.deepEqual(installmentOption(10_000, 3, WITH_INTEREST), {
      installments: 3,
      total_centavos: 10_299,
      interest_centavos: 299,
      amounts_centavos: [3433, 3433, 3433],
    });
    assert.equal(installmentOption(10_050, 4, WITH_INTEREST)?.interest_centavos, 401);
  });

  it('is not charged for one payment, or for installments that the link offers without interest', () => {
    for (const count of [1, 2]) {
      assert.equal(installmentOption(10_000, count, WITH_INTEREST)?.interest_centavos, 0);
    }
    assert.equal(installmentOption(10_000, 12, WITHOUT_INTEREST)?.total_centavos, 10_000);
  });

  it('is offered only for the installments that the table has a rate for, up to the maximum', () => {
    const counts = (amount: number, terms: InstallmentTerms) =>
      installmentOptions(amount, terms).map(({ installments }) => installments);
    assert.deepEqual(counts(10_000, WITH_INTEREST), [1, 2, 3, 4, 6]);
    assert.deepEqual(counts(10_000, { ...WITH_INTEREST, interestFreeInstallments: 0 }), [1, 2, 3, 4, 6]);
    assert.deepEqual(counts(10_000, { ...WITHOUT_INTEREST, maxInstallments: 3 }), [1, 2, 3]);
    assert.deepEqual(counts(2, WITHOUT_INTEREST), [1, 2]);
    for (const count of [0, -1, 1.5, 5, 7, Number.NaN]) {
      assert.equal(installmentOption(10_000, count, WITH_INTEREST), null, String(count));
    }
  });

  it('is part of the total, and the installments add up to the total', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 42 }), (amount) => {
        for (const option of installmentOptions(amount, WITH_INTEREST)) {
          assert.equal(option.total_centavos, amount + option.interest_centavos);
          assert.equal(sumOf(option.amounts_centavos), option.total_centavos);
        }
      }),
      { seed },
    );
  });
});
