import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { apportion, basisPointsOf, isCentavos, proportionDown, sumOf } from '../../domain/money.ts';

/** fast-check prints it with a failure. */
const seed = 20_261_123;

describe('centavos', () => {
  it('are safe integers from zero', () => {
    for (const value of [0, 1, Number.MAX_SAFE_INTEGER]) assert.equal(isCentavos(value), true);
    for (const value of [-1, 1.5, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY, '1', null, 1n]) {
      assert.equal(isCentavos(value), false, String(value));
    }
  });
});

describe('proportions', () => {
  it('are rounded down, or to the nearest centavo with half a centavo rounded up', () => {
    assert.deepEqual(
      [99, 100, 149, 150, 199].map((amount) => proportionDown(amount, 1, 100)),
      [0, 1, 1, 1, 1],
    );
    assert.deepEqual(
      [49, 50, 149, 150, 199].map((amount) => basisPointsOf(amount, 100)),
      [0, 1, 1, 2, 2],
    );
    // The first part is a third.
    assert.equal(apportion(1, [1, 1, 1])[0], 0);
    assert.equal(apportion(2, [1, 1, 1])[0], 1);
  });

  it('are exact, also if a product is not a safe integer', () => {
    const largest = Number.MAX_SAFE_INTEGER;
    assert.equal(proportionDown(largest, largest - 1, largest), largest - 1);
    assert.equal(basisPointsOf(largest, 9_999), 9_006_298_534_815_517);
  });

  it('are in basis points: 399 of R$ 100.00 is R$ 3.99', () => {
    assert.deepEqual(
      [10_000, 1, 125, 126, 0].map((amount) => basisPointsOf(amount, 399)),
      [399, 0, 5, 5, 0],
    );
    assert.equal(basisPointsOf(50, 100), 1);
    assert.equal(basisPointsOf(49, 100), 0);
  });
});

describe('dividing an amount in proportion', () => {
  /** A few weights or many, equal, small, or of very different sizes. */
  const weights = fc
    .array(fc.oneof(fc.constant(1), fc.nat(9), fc.nat(100_000), fc.nat(2 ** 40)), {
      minLength: 1,
      maxLength: 21,
    })
    .filter((all) => sumOf(all) > 0);
  const divided = weights.chain((all) => fc.tuple(fc.constant(all), fc.nat(sumOf(all))));

  it('gives the expected parts', () => {
    assert.deepEqual(apportion(100, [1, 1, 1]), [33, 34, 33]);
    assert.deepEqual(apportion(1000, [500, 300, 200]), [500, 300, 200]);
    assert.deepEqual(apportion(7, [7000, 2000, 1000]), [5, 1, 1]);
    assert.deepEqual(apportion(5, [0, 3, 0]), [0, 5, 0]);
    assert.deepEqual(apportion(0, [0, 0]), [0, 0]);
    assert.deepEqual(apportion(0, []), []);
  });

  it('refuses to divide an amount if all weights are zero', () => {
    assert.throws(() => apportion(1, [0, 0]), RangeError);
    assert.throws(() => apportion(1, []), RangeError);
  });

  it('gives parts that add up to the amount, none of which is negative', () => {
    fc.assert(
      fc.property(weights, fc.nat(2 ** 42), (all, amount) => {
        const parts = apportion(amount, all);
        assert.equal(sumOf(parts), amount);
        assert.ok(parts.every(isCentavos));
        for (const [at, weight] of all.entries()) if (weight === 0) assert.equal(parts[at], 0);
      }),
      { seed, numRuns: 500 },
    );
  });

  it('gives the weights themselves if the amount is their sum', () => {
    fc.assert(
      fc.property(weights, (all) => assert.deepEqual(apportion(sumOf(all), all), all)),
      { seed, numRuns: 500 },
    );
  });

  it('does not reduce a part when the amount grows', () => {
    fc.assert(
      fc.property(divided, fc.oneof(fc.constant(1), fc.nat(100_000)), ([all, amount], more) => {
        const before = apportion(amount, all);
        const after = apportion(amount + more, all);
        for (const [at, part] of before.entries()) assert.ok(after[at]! >= part);
      }),
      { seed, numRuns: 2000 },
    );
  });

  it('stays within one centavo of the proportion for up to four weights, and within two for more', () => {
    fc.assert(
      fc.property(divided, ([all, amount]) => {
        const total = BigInt(sumOf(all));
        const bound = all.length <= 4 ? 1n : 2n;
        for (const [at, part] of apportion(amount, all).entries()) {
          const error = BigInt(part) * total - BigInt(amount) * BigInt(all[at]!);
          assert.ok(error < bound * total && -error < bound * total, `${part} of ${all}`);
        }
      }),
      { seed, numRuns: 2000 },
    );
  });
});
