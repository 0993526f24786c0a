import { randomFillSync } from 'node:crypto';
import type { RandomBytes } from '../domain/random-text.ts';

const DRAW_BYTES = 4_096;

/**
 * Random bytes of the system, drawn 4 KiB at a time: a draw costs the same for six bytes as for a thousand, and an order
 * needs eight. No byte is returned twice, and none stays in the buffer after that. Throws a RangeError for a count that is
 * not a whole number.
 */
export function drawnRandom(draw: (into: Uint8Array) => unknown = randomFillSync): RandomBytes {
  const drawn = new Uint8Array(DRAW_BYTES);
  let next = DRAW_BYTES;
  return (count) => {
    if (!Number.isInteger(count) || count < 0) throw new RangeError('Bytes are asked for by a whole number.');
    if (count > DRAW_BYTES) {
      const bytes = new Uint8Array(count);
      draw(bytes);
      return bytes;
    }
    if (next + count > DRAW_BYTES) {
      draw(drawn);
      next = 0;
    }
    const bytes = drawn.slice(next, next + count);
    drawn.fill(0, next, next + count);
    next += count;
    return bytes;
  };
}
