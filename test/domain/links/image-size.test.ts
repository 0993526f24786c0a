import assert from 'node:assert/strict';
import { test } from 'node:test';
import { imageSize } from '../../../domain/links/image-size.ts';
import type { LogoType } from '../../../domain/links/logo.ts';
import { gifOf, jpegOf, pngOf, webpOf } from '../../support/pages/image-headers.ts';

const SIZE = { width_px: 321, height_px: 123 };
const read: [LogoType, Buffer][] = [
  ['image/png', pngOf(321, 123)],
  ['image/jpeg', jpegOf(321, 123)],
  ['image/gif', gifOf(321, 123)],
  ['image/webp', webpOf('VP8 ', 321, 123)],
  ['image/webp', webpOf('VP8L', 321, 123)],
  ['image/webp', webpOf('VP8X', 321, 123)],
];

test('the size of an image is read from its headers', () => {
  for (const [type, bytes] of read) assert.deepEqual(imageSize(type, bytes), SIZE, type);
});

test('an image that ends before its size, or has no pixels, has none', () => {
  for (const [type, bytes] of read) {
    assert.equal(imageSize(type, bytes.subarray(0, -1)), null, type);
    assert.equal(imageSize(type, bytes.subarray(0, 12)), null, type);
  }
  assert.equal(imageSize('image/png', pngOf(0, 5)), null);
  assert.equal(imageSize('image/jpeg', jpegOf(5, 0)), null);
  assert.equal(imageSize('image/png', pngOf(1, 1).fill('tEXt', 12, 16)), null);
});

test('a large number of pixels is read with each byte of it', () => {
  assert.deepEqual(imageSize('image/png', pngOf(65_535, 40_000)), { width_px: 65_535, height_px: 40_000 });
  const large = webpOf('VP8X', 16_777_216, 70_000);
  assert.deepEqual(imageSize('image/webp', large), { width_px: 16_777_216, height_px: 70_000 });
  const lossless = webpOf('VP8L', 16_384, 16_384);
  assert.deepEqual(imageSize('image/webp', lossless), { width_px: 16_384, height_px: 16_384 });
});

test('every frame header of a JPEG has its size, and the segments before it are passed over', () => {
  for (const marker of ['ffc0', 'ffc1', 'ffc9', 'ffcf']) {
    assert.deepEqual(imageSize('image/jpeg', jpegOf(321, 123, 'ffc40003ffffdb0002', marker)), SIZE, marker);
  }
  assert.deepEqual(imageSize('image/jpeg', jpegOf(321, 123, 'ffffffdb0002')), SIZE);
});

test('a JPEG has no size if decoders could pass over its first bytes in another way', () => {
  const small = jpegOf(1, 1).subarray(2);
  const large = jpegOf(60_000, 60_000).toString('hex').slice(4);
  for (const marker of ['ff01', 'ff00', 'ffd0', 'ffd7', 'ffd8', 'ffda', 'ff42', '42']) {
    const file = Buffer.concat([jpegOf(60_000, 60_000, `${marker}${large}`), Buffer.alloc(70_000), small]);
    assert.equal(imageSize('image/jpeg', file), null, marker);
  }
});

test('a GIF has the size of its first image, if that is larger than its screen', () => {
  const first = { left: 10, top: 20, width: 3_000, height: 4_000 };
  assert.deepEqual(imageSize('image/gif', gifOf(1, 1, first)), { width_px: 3_010, height_px: 4_020 });
  assert.deepEqual(imageSize('image/gif', gifOf(321, 123, { left: 0, top: 0, width: 1, height: 1 })), SIZE);
  assert.equal(imageSize('image/gif', Buffer.concat([gifOf(1, 1).subarray(0, 13), Buffer.from(';')])), null);
});
