import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  cutToFit,
  fitsAmount,
  repeatedRecipients,
  type SplitLine,
  splitAmount,
} from '../../../domain/ledger/split.ts';
import { sumOf } from '../../../domain/money.ts';
import { SPLIT_PAYMENT, splitLine } from '../../support/ledger/split-lines.ts';

const seed = 20_261_123;

const fixed = (number: number, value: number, flags: Partial<SplitLine> = {}) =>
  splitLine(number, 'fixed', value, flags);
const percentage = (number: number, value: number, flags: Partial<SplitLine> = {}) =>
  splitLine(number, 'percentage', value, flags);

/** Gross shares in the order of the lines, then the merchant's part. */
function amountsOf(amount: number, ...lines: SplitLine[]): number[] {
  const { shares, merchant_centavos } = splitAmount(amount, 0, lines);
  return [...shares.map(({ share_centavos }) => share_centavos), merchant_centavos];
}

/** What each line bears of a fee, then what the merchant does. */
function feesOf(amount: number, fee: number, ...lines: SplitLine[]): number[] {
  const { shares, merchantFee_centavos } = splitAmount(amount, fee, lines);
  return [...shares.map(({ fee_centavos }) => fee_centavos), merchantFee_centavos];
}

describe('shares', () => {
  it('are fixed amounts and percentages, and the merchant gets the rest', () => {
    assert.deepEqual(amountsOf(10_000, fixed(1, 2500), percentage(2, 30)), [2500, 3000, 4500]);
    assert.deepEqual(amountsOf(10_000), [10_000]);
    assert.deepEqual(amountsOf(10_000, percentage(1, 100)), [10_000, 0]);
  });

  it('are rounded down, and the merchant gets the centavos that are left', () => {
    assert.deepEqual(amountsOf(101, percentage(1, 50), percentage(2, 50)), [50, 50, 1]);
    assert.deepEqual(amountsOf(1, percentage(1, 99)), [0, 1]);
  });

  it('give the centavos that are left to the first recipient with charge_remainder_fee, also one with a fixed share', () => {
    const takes = { takesRemainder: true };
    assert.deepEqual(
      amountsOf(101, percentage(1, 50), percentage(2, 50, takes), percentage(3, 0, takes)),
      [50, 51, 0, 0],
    );
    assert.deepEqual(
      amountsOf(1011, fixed(1, 11, takes), percentage(2, 33), percentage(3, 33)),
      [12, 333, 333, 333],
    );
  });

  it('give that recipient only the centavos of the rounding, and not the rest of the amount', () => {
    assert.deepEqual(amountsOf(100, percentage(1, 33, { takesRemainder: true })), [33, 67]);
    // 33.33 and 33.33: no whole centavo is lost.
    assert.deepEqual(
      amountsOf(101, percentage(1, 33, { takesRemainder: true }), percentage(2, 33)),
      [33, 33, 35],
    );
  });

  it('add up to the amount with the merchant’s part, for every split', () => {
    fc.assert(
      fc.property(SPLIT_PAYMENT, ({ amount_centavos, fee_centavos, lines }) => {
        const { shares, merchant_centavos } = splitAmount(amount_centavos, fee_centavos, lines);
        const given = sumOf(shares.map(({ share_centavos }) => share_centavos));
        assert.equal(given + merchant_centavos, amount_centavos);
        // What the merchant keeps, exactly: percentages are rounded one by one, or all together where a line takes the
        // rest.
        const percent = (values: number[]) =>
          sumOf(values.map((value) => Number((BigInt(amount_centavos) * BigInt(value)) / 100n)));
        const percentages = lines.filter(({ type }) => type === 'percentage').map(({ value }) => value);
        const fixedShares = sumOf(lines.filter(({ type }) => type === 'fixed').map(({ value }) => value));
        const isTaken = lines.some(({ takesRemainder }) => takesRemainder);
        const kept = amount_centavos - fixedShares - percent(isTaken ? [sumOf(percentages)] : percentages);
        assert.equal(merchant_centavos, kept);
        assert.ok(merchant_centavos >= 0);
        for (const [at, { type, value, takesRemainder }] of lines.entries()) {
          const exact = type === 'fixed' ? value : (amount_centavos * value) / 100;
          const { share_centavos } = shares[at]!;
          // Within the precision of the division in this test.
          assert.ok(share_centavos > exact - 1.01, `${share_centavos} of ${exact}`);
          assert.ok(takesRemainder || share_centavos <= exact + 0.01);
          assert.ok(share_centavos < exact + lines.length + 0.01);
        }
      }),
      { seed, numRuns: 1000 },
    );
  });
});

describe('the fee', () => {
  const bears = { bearsFee: true };

  it('is paid by the merchant if no recipient pays it, also when it is more than the merchant’s part', () => {
    assert.deepEqual(feesOf(10_000, 438, percentage(1, 50)), [0, 438]);
    assert.deepEqual(feesOf(10_000, 438, percentage(1, 100)), [0, 438]);
  });

  it('is divided among the recipients that pay it in proportion to their shares', () => {
    assert.deepEqual(
      feesOf(10_000, 300, percentage(1, 20, bears), percentage(2, 40, bears), fixed(3, 1000)),
      [100, 200, 0, 0],
    );
  });

  it('is rounded so that the first of them pays the odd centavos', () => {
    assert.deepEqual(feesOf(90, 10, fixed(1, 30), fixed(2, 30, bears), fixed(3, 30, bears)), [0, 5, 5, 0]);
    assert.deepEqual(feesOf(90, 11, fixed(1, 30), fixed(2, 30, bears), fixed(3, 30, bears)), [0, 6, 5, 0]);
    // The first has nothing left, so the next one bears it.
    assert.deepEqual(
      feesOf(7, 1, percentage(1, 1, bears), fixed(2, 3, bears), fixed(3, 3, bears)),
      [0, 1, 0, 0],
    );
  });

  it('is at most the share of a recipient; the merchant pays the rest', () => {
    assert.deepEqual(feesOf(1000, 438, fixed(1, 100, bears), fixed(2, 50, bears)), [100, 50, 288]);
  });

  it('is paid to the centavo, for every split', () => {
    fc.assert(
      fc.property(SPLIT_PAYMENT, ({ amount_centavos, fee_centavos, lines }) => {
        const { shares, merchantFee_centavos } = splitAmount(amount_centavos, fee_centavos, lines);
        const borne = sumOf(shares.map((share) => share.fee_centavos));
        assert.equal(borne + merchantFee_centavos, fee_centavos);
        assert.ok(merchantFee_centavos >= 0);
        for (const [at, share] of shares.entries()) {
          assert.ok(share.fee_centavos >= 0 && share.fee_centavos <= share.share_centavos);
          if (!lines[at]!.bearsFee) assert.equal(share.fee_centavos, 0);
        }
        const bearing = shares.filter((_, at) => lines[at]!.bearsFee);
        const room = sumOf(bearing.map((share) => share.share_centavos));
        assert.equal(borne, Math.min(fee_centavos, room));
      }),
      { seed, numRuns: 1000 },
    );
  });
});

describe('a split', () => {
  it('fits if fixed shares and percentages are at most the amount', () => {
    for (const [amount, fits, ...lines] of [
      [100, true, fixed(1, 100)],
      [100, false, fixed(1, 101)],
      [100, true, fixed(1, 50), percentage(2, 50)],
      [100, false, fixed(1, 51), percentage(2, 50)],
      [100, false, percentage(1, 60), percentage(2, 41)],
      // Half of 99 is rounded down.
      [99, true, fixed(1, 50), percentage(2, 50)],
      [100, true],
    ] as const) {
      assert.equal(fitsAmount(lines, amount), fits, JSON.stringify(lines));
      if (!fits) assert.throws(() => splitAmount(amount, 0, lines), RangeError);
    }
  });

  it('names a recipient once', () => {
    assert.deepEqual(repeatedRecipients([fixed(1, 1), fixed(2, 1), fixed(1, 1), fixed(1, 2)]), [2, 3]);
    assert.deepEqual(repeatedRecipients([fixed(1, 1), fixed(2, 1)]), []);
  });

  it('refuses a fee beyond the amount', () => {
    assert.throws(() => splitAmount(100, 101, []), RangeError);
  });

  it('is reduced for a smaller charge: percentages first, then fixed shares in their order', () => {
    const lines = [fixed(1, 40), percentage(2, 50), fixed(3, 30)];
    const values = (amount: number) => cutToFit(lines, amount).map(({ value }) => value);
    assert.deepEqual(values(140), [40, 50, 30]);
    assert.deepEqual(values(100), [40, 50, 10]);
    assert.deepEqual(values(60), [30, 50, 0]);
    assert.deepEqual(values(1), [1, 50, 0]);
  });

  it('that was reduced fits every charge', () => {
    fc.assert(
      fc.property(SPLIT_PAYMENT, fc.nat(1000), ({ amount_centavos, lines }, thousandths) => {
        const charge = Math.ceil((amount_centavos * thousandths) / 1000);
        const cut = cutToFit(lines, charge);
        assert.ok(fitsAmount(cut, charge));
        if (fitsAmount(lines, charge)) assert.deepEqual(cut, lines);
      }),
      { seed, numRuns: 500 },
    );
  });
});
