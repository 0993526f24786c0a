import type { LogoType } from './logo.ts';

export interface ImageSize {
  readonly width_px: number;
  readonly height_px: number;
}

const READERS: Readonly<Record<LogoType, (image: DataView) => ImageSize | null>> = {
  'image/png': png,
  'image/jpeg': jpeg,
  'image/gif': gif,
  'image/webp': webp,
};

/** The size of an image by its headers, without decoding it. Null if they are damaged or name no size. */
export function imageSize(type: LogoType, bytes: Uint8Array): ImageSize | null {
  try {
    const size = READERS[type](new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    return size !== null && size.width_px > 0 && size.height_px > 0 ? size : null;
  } catch (error) {
    // The file ends before its size.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** ISO/IEC 15948, 11.2.2: the chunk IHDR is the first. */
function png(image: DataView): ImageSize | null {
  if (textAt(image, 12, 4) !== 'IHDR') return null;
  return { width_px: image.getUint32(16), height_px: image.getUint32(20) };
}

/** ITU-T T.81, B.2.2: the size is in the frame header, after other segments. */
function jpeg(image: DataView): ImageSize | null {
  let at = 2;
  while (image.getUint8(at) === 0xff) {
    const marker = image.getUint8(at + 1);
    if (isFrameHeader(marker))
      return { height_px: image.getUint16(at + 5), width_px: image.getUint16(at + 7) };
    // A marker can have fill bytes before it.
    if (marker === 0xff) at += 1;
    else if (hasLength(marker)) at += 2 + image.getUint16(at + 2);
    else return null;
  }
  return null;
}

/** Decoders pass over other markers, each in its own way, so a file with them could be read with another size. */
function hasLength(marker: number): boolean {
  return marker >= 0xc0 && !(marker >= 0xd0 && marker <= 0xda);
}

/** SOF0 to SOF15, without DHT, JPG and DAC between them. */
function isFrameHeader(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

/** GIF89a, 18 and 20: the size of the screen, or of the first image if that is larger, which browsers then show. */
function gif(image: DataView): ImageSize | null {
  const screen = { width_px: image.getUint16(6, true), height_px: image.getUint16(8, true) };
  let at = 13 + colorTable_bytes(image.getUint8(10));
  while (image.getUint8(at) === 0x21) at = endOfBlocks(image, at + 2);
  if (image.getUint8(at) !== 0x2c) return null;
  return {
    width_px: Math.max(screen.width_px, image.getUint16(at + 1, true) + image.getUint16(at + 5, true)),
    height_px: Math.max(screen.height_px, image.getUint16(at + 3, true) + image.getUint16(at + 7, true)),
  };
}

function colorTable_bytes(flags: number): number {
  return (flags & 0x80) === 0 ? 0 : 3 << ((flags & 7) + 1);
}

/** The end of the data blocks that begin at `at`. An empty block is the last one. */
function endOfBlocks(image: DataView, at: number): number {
  let next = at;
  while (image.getUint8(next) !== 0) next += 1 + image.getUint8(next);
  return next + 1;
}

/** RFC 9649: one of three chunks is the first. */
function webp(image: DataView): ImageSize | null {
  switch (textAt(image, 12, 4)) {
    case 'VP8X':
      return { width_px: 1 + uint24(image, 24), height_px: 1 + uint24(image, 27) };
    case 'VP8L': {
      const bits = image.getUint32(21, true);
      return { width_px: 1 + (bits & 0x3fff), height_px: 1 + ((bits >>> 14) & 0x3fff) };
    }
    case 'VP8 ':
      return {
        width_px: image.getUint16(26, true) & 0x3fff,
        height_px: image.getUint16(28, true) & 0x3fff,
      };
    default:
      return null;
  }
}

function uint24(image: DataView, at: number): number {
  return image.getUint16(at, true) + image.getUint8(at + 2) * 0x10000;
}

function textAt(image: DataView, at: number, length: number): string {
  return String.fromCharCode(...Array.from({ length }, (_, i) => image.getUint8(at + i)));
}
