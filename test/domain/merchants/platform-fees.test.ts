import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { PAYMENT_METHODS } from '../../../domain/merchants/payment-methods.ts';
import { PLANS } from '../../../domain/merchants/plans.ts';
import { platformFee } from '../../../domain/merchants/platform-fees.ts';

describe('the fee of the platform', () => {
  it('is a rate and a fixed part, rounded to the nearest centavo', () => {
    const rate = { basisPoints: 399, fixed_centavos: 39 };
    assert.equal(platformFee(rate, 10_000), 438);
    assert.equal(platformFee(rate, 10_050), 440);
    assert.equal(platformFee({ basisPoints: 0, fixed_centavos: 349 }, 99_999), 349);
    assert.equal(platformFee({ basisPoints: 99, fixed_centavos: 0 }, 1), 0);
  });

  it('is never more than the captured amount, on any plan and for any method', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 42 }), (captured) => {
        for (const { fees } of Object.values(PLANS)) {
          for (const method of PAYMENT_METHODS) {
            const fee = platformFee(fees[method], captured);
            assert.ok(Number.isSafeInteger(fee) && fee >= 0 && fee <= captured);
          }
        }
      }),
      { seed: 20_261_123 },
    );
    assert.equal(platformFee({ basisPoints: 399, fixed_centavos: 39 }, 20), 20);
  });
});
