import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { ladderProblems, lastPrice, type PriceBand } from '../../../domain/products/price-ladder.ts';

type Short = readonly [start: number, end: number | null, amount?: number];
const ladder = (...bands: Short[]): PriceBand[] =>
  bands.map(([start, end, amount = 100]) => ({ start, end, amount_centavos: amount }));
const places = (bands: readonly PriceBand[]) =>
  ladderProblems(bands).map(({ band, field }) => (band === null ? 'cycles' : `${band}.${field}`));

describe('a price ladder', () => {
  const right: [string, PriceBand[]][] = [
    ['one open band', ladder([1, null])],
    ['one band of one cycle', ladder([1, 1])],
    ['a price of nothing', ladder([1, 3, 0], [4, null])],
    ['three bands, the last one open', ladder([1, 1], [2, 12], [13, null])],
    ['three bands and an end', ladder([1, 1], [2, 12], [13, 24])],
    ['fifty bands', Array.from({ length: 50 }, (_, i) => ladder([i + 1, i + 1])[0]!)],
  ];
  for (const [what, bands] of right) {
    test(`may have ${what}`, () => assert.deepEqual(ladderProblems(bands), []));
  }

  const wrong: [string, PriceBand[], string[]][] = [
    ['no band', [], ['cycles']],
    ['fifty-one bands', Array.from({ length: 51 }, (_, i) => ladder([i + 1, i + 1])[0]!), ['cycles']],
    ['a first band that starts late', ladder([2, null]), ['0.start']],
    ['a first band that starts at 0', ladder([0, 3], [4, null]), ['0.start']],
    ['a gap', ladder([1, 3], [5, null]), ['1.start']],
    ['an overlap', ladder([1, 3], [3, null]), ['1.start']],
    ['a band twice', ladder([1, 3], [1, 3]), ['1.start']],
    ['a band that ends before it starts', ladder([1, 3], [4, 2], [3, null]), ['1.end']],
    ['an open band in the middle', ladder([1, 3], [4, null], [9, null]), ['cycles']],
    ['two open bands and a gap', ladder([1, null], [2, 3], [5, null]), ['cycles', '2.start']],
    ['a price below nothing', ladder([1, 3, -1], [4, null]), ['0.amount_centavos']],
    ['several mistakes', ladder([2, 1], [3, 2, -5]), ['0.start', '0.end', '1.end', '1.amount_centavos']],
  ];
  for (const [what, bands, expected] of wrong) {
    test(`must not have ${what}`, () => assert.deepEqual(places(bands), expected));
  }

  test('says at which cycle a band must start', () => {
    assert.match(ladderProblems(ladder([1, 3], [9, null]))[0]!.sentence, /^Must be 4:/);
  });

  /** Lengths of bands, of which the last may be open. */
  const contiguous = fc
    .record({
      lengths: fc.array(fc.integer({ min: 1, max: 24 }), { minLength: 1, maxLength: 50 }),
      isOpen: fc.boolean(),
    })
    .map(({ lengths, isOpen }) => {
      let next = 1;
      return lengths.map((length, i): PriceBand => {
        const start = next;
        next += length;
        const isLast = i === lengths.length - 1;
        return { start, end: isOpen && isLast ? null : next - 1, amount_centavos: i };
      });
    });

  test('has no problem if each band starts after the one before, whatever their lengths', () => {
    fc.assert(
      fc.property(contiguous, (bands) => {
        assert.deepEqual(ladderProblems(bands), []);
        assert.equal(lastPrice(bands), bands.length - 1);
      }),
    );
  });

  test('has a problem at a band whose start was moved', () => {
    fc.assert(
      fc.property(
        contiguous,
        fc.nat(),
        fc.integer({ min: -5, max: 5 }).filter((by) => by !== 0),
        (bands, at, by) => {
          const moved = at % bands.length;
          const changed = bands.map((band, i) => (i === moved ? { ...band, start: band.start + by } : band));
          assert.ok(places(changed).includes(`${moved}.start`));
        },
      ),
    );
  });
});

test('a ladder without bands has no last price', () => {
  assert.throws(() => lastPrice([]), RangeError);
});
