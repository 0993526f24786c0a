import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { sumOf } from '../../../domain/money.ts';
import { interleaved2of5 } from '../../../domain/payments/interleaved-2-of-5.ts';
import vectors from '../../vectors/boleto.json' with { type: 'json' };

/** The weights of the five elements of a digit, by which the standard defines the symbology; a 0 has 4 + 7. */
const WEIGHTS = [1, 2, 4, 7, 0];

/** Reads the widths as a scanner does: pairs of digits between start and stop, whose wide elements name the digits. */
function scan(widths: readonly number[]): string {
  assert.deepEqual(widths.slice(0, 4), [1, 1, 1, 1]);
  assert.deepEqual(widths.slice(-3), [3, 1, 1]);
  const inner = widths.slice(4, -3);
  let text = '';
  for (let at = 0; at < inner.length; at += 10) {
    for (const offset of [0, 1]) {
      const elements = [0, 2, 4, 6, 8].map((place) => inner[at + place + offset]!);
      assert.equal(elements.filter((width) => width === 3).length, 2);
      text += sumOf(WEIGHTS.filter((_, place) => elements[place] === 3)) % 11;
    }
  }
  return text;
}

describe('the bars of a boleto', () => {
  it('are those of the standard: bars 1, spaces 2', () => {
    // Start; 1 is wnnnw, 2 is nwnnw; stop.
    assert.equal(interleaved2of5('12').join(''), '1111' + '3113111133' + '311');
  });

  for (const { barcode } of vectors.vectors) {
    it(`of ${barcode} are read back, and 405 modules long`, () => {
      const widths = interleaved2of5(barcode);
      assert.equal(scan(widths), barcode);
      assert.equal(sumOf(widths), 405);
      // It begins and ends with a bar.
      assert.equal(widths.length % 2, 1);
    });
  }

  it('are read back for any even number of digits', () => {
    const pairs = fc.array(fc.integer({ min: 0, max: 99 }), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(pairs, (numbers) => {
        const text = numbers.map((number) => String(number).padStart(2, '0')).join('');
        assert.equal(scan(interleaved2of5(text)), text);
      }),
      { seed: 20_261_123 },
    );
  });

  it('are refused for any other text', () => {
    for (const text of ['', '1', '123', 'ab', '12 ']) assert.throws(() => interleaved2of5(text), RangeError);
  });
});
