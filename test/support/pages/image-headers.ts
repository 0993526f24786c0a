/** Beginnings of images, without pixels. */

/** Numbers of two bytes each. */
function pairs(littleEndian: boolean, ...values: number[]): Buffer {
  const bytes = Buffer.alloc(2 * values.length);
  for (const [i, value] of values.entries()) {
    if (littleEndian) bytes.writeUInt16LE(value, 2 * i);
    else bytes.writeUInt16BE(value, 2 * i);
  }
  return bytes;
}

const joined = (...parts: (string | Buffer)[]) =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'hex') : part)));

export function pngOf(width: number, height: number): Buffer {
  return joined('89504e470d0a1a0a0000000d49484452', pairs(false, 0, width, 0, height));
}

/** `segments`, in hex, are before the frame header. */
export function jpegOf(width: number, height: number, segments = 'ffe000044a46', marker = 'ffc2'): Buffer {
  return joined(`ffd8${segments}${marker}001108`, pairs(false, height, width));
}

/** The first image is `first` on the screen; the screen has colors, and a comment follows it. */
export function gifOf(width: number, height: number, first = { left: 0, top: 0, width, height }): Buffer {
  const screen = joined(Buffer.from('GIF89a'), pairs(true, width, height), '810000', '00'.repeat(12));
  return joined(screen, '21fe024869032c2c2c00', '2c', pairs(true, ...Object.values(first)));
}

/** Lossy, lossless, or with more chunks. */
export function webpOf(kind: 'VP8 ' | 'VP8L' | 'VP8X', width: number, height: number): Buffer {
  const start = joined(Buffer.from(`RIFF\0\0\0\0WEBP${kind}`), '0a000000');
  if (kind === 'VP8 ') return joined(start, '9001009d012a', pairs(true, width, height));
  const size = Buffer.alloc(kind === 'VP8L' ? 4 : 6);
  if (kind === 'VP8L') {
    size.writeUInt32LE((width - 1) | ((height - 1) << 14));
    return joined(start, '2f', size);
  }
  size.writeUIntLE(width - 1, 0, 3);
  size.writeUIntLE(height - 1, 3, 3);
  return joined(start, '10000000', size);
}
