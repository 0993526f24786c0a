import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { bufferedRandom } from '../../services/random.ts';

/** A source of bytes that counts: each group of four is another number, beginning with 1. */
function countingSource() {
  let drawn = 0;
  return (into: Uint8Array) => {
    const view = new DataView(into.buffer, into.byteOffset, into.byteLength);
    for (let at = 0; at + 4 <= into.byteLength; at += 4) view.setUint32(at, ++drawn);
  };
}

test('every byte comes from the generator, and none is returned twice', () => {
  const sizes = fc.array(fc.oneof(fc.integer({ min: 0, max: 16 }), fc.integer({ min: 1000, max: 2500 })), {
    minLength: 20,
    maxLength: 60,
  });
  fc.assert(
    fc.property(sizes, (asked) => {
      const random = bufferedRandom(countingSource());
      const seen = new Set<number>();
      for (const fours of asked) {
        const bytes = random(fours * 4);
        assert.equal(bytes.length, fours * 4);
        const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
        for (let at = 0; at < bytes.length; at += 4) {
          const number = view.getUint32(at);
          assert.notEqual(number, 0);
          assert.ok(!seen.has(number), 'handed out before');
          seen.add(number);
        }
      }
    }),
    { numRuns: 50 },
  );
});

test('returned bytes do not change later', () => {
  const random = bufferedRandom(countingSource());
  const first = random(8);
  const before = Uint8Array.from(first);
  for (let count = 0; count < 3_000; count += 1) random(8);
  assert.deepEqual(first, before);
});

test('the bytes come from the system’s generator', () => {
  const random = bufferedRandom();
  const seen = new Set(Array.from({ length: 10_000 }, () => Buffer.from(random(16)).toString('hex')));
  assert.equal(seen.size, 10_000);
  assert.ok(random(100_000).some((byte) => byte !== 0));
});

test('a wrong number of bytes is refused, and later calls work', () => {
  const random = bufferedRandom(countingSource());
  for (const count of [-8, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
    assert.throws(() => random(count), RangeError);
    assert.ok(random(8).some((byte) => byte !== 0));
  }
  assert.equal(random(0).length, 0);
});
