import { randomFillSync } from 'node:crypto';
import type { RandomBytes } from '../domain/random-text.ts';

const BUFFER_BYTES = 4_096;

/**
 * Returns a source of random bytes that reads 4 KiB of the system's random bytes at a time: a read costs the same for
 * six bytes as for a thousand, and an order needs eight small reads. Each byte is returned once, and then erased from
 * the buffer. The source throws a RangeError for a count that is not a whole number.
 */
export function bufferedRandom(fill: (bytes: Uint8Array) => unknown = randomFillSync): RandomBytes {
  const buffer = new Uint8Array(BUFFER_BYTES);
  let next = BUFFER_BYTES;
  return (count) => {
    if (!Number.isInteger(count) || count < 0)
      throw new RangeError('The count of bytes must be a whole number.');
    if (count > BUFFER_BYTES) {
      const bytes = new Uint8Array(count);
      fill(bytes);
      return bytes;
    }
    if (next + count > BUFFER_BYTES) {
      fill(buffer);
      next = 0;
    }
    const bytes = buffer.slice(next, next + count);
    buffer.fill(0, next, next + count);
    next += count;
    return bytes;
  };
}
