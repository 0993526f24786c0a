import { crc32, deflateSync } from 'node:zlib';
import QRCode, { type QRCodeSegment } from 'qrcode';

/** Pixels per module. The image is sharp on a phone and smaller than 2 KB. */
const SCALE = 4;
/** The quiet zone around the symbol, in modules (ISO/IEC 18004, 6.3.8). */
const MARGIN = 4;

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/**
 * The mask of every symbol. Decoders read all eight masks. To choose the best mask for each text, one must draw and
 * score eight symbols, which costs six times as much. Over 1,500 BR Codes this mask had the best median and worst score
 * (ISO/IEC 18004, 7.8.3): 1,659 and 2,051. The best mask for each text has 1,627 and 1,854.
 */
const MASK_PATTERN = 2;

/**
 * Parts of a text that take fewer bits as digits, or as digits and capital letters, than as bytes. The library's search
 * for the shortest parts costs six times as much, and makes 57 of 1,800 BR Codes one version smaller.
 */
const SHORT_PARTS = /([0-9]{13,}|(?:(?![0-9]{13})[0-9A-Z $%*+\-./:]){8,}|[0-9]{6,})/;

/**
 * The QR code of a text, error correction M, as a PNG with one bit per pixel (ISO/IEC 15948). The library's own PNG has
 * 32 bits per pixel: it is three times the size, and takes 5 ms to draw instead of 0.1 ms.
 */
export function qrPng(text: string): Buffer {
  const { modules } = QRCode.create(segmentsOf(text), {
    errorCorrectionLevel: 'M',
    maskPattern: MASK_PATTERN,
  });
  const width = (modules.size + 2 * MARGIN) * SCALE;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(width, 4);
  // One bit per pixel. The zeros after it: greyscale, deflated, standard filters, not interlaced.
  header.writeUInt8(1, 8);
  const data = deflateSync(rowsOf(modules, width));
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** The text in parts, each in the mode that it is encoded in (ISO/IEC 18004, 7.3). */
function segmentsOf(text: string): QRCodeSegment[] {
  // `split` by a group returns the matches at the odd indexes.
  return text.split(SHORT_PARTS).flatMap((data, index): QRCodeSegment[] => {
    if (data === '') return [];
    if (index % 2 === 0) return [{ data: Buffer.from(data), mode: 'byte' }];
    return [{ data, mode: /^[0-9]+$/.test(data) ? 'numeric' : 'alphanumeric' }];
  });
}

/** All rows of pixels: each is a byte for the filter, then a bit per pixel, set for white. */
function rowsOf(modules: { readonly size: number; get(row: number, column: number): number }, width: number) {
  const row_bytes = 1 + Math.ceil(width / 8);
  const rows = Buffer.alloc(row_bytes * width, 0xff);
  for (let y = 0; y < width; y += 1) rows[y * row_bytes] = 0;
  for (let row = 0; row < modules.size; row += 1) {
    const start = (row + MARGIN) * SCALE * row_bytes;
    for (let column = 0; column < modules.size; column += 1) {
      if (!modules.get(row, column)) continue;
      for (let x = (column + MARGIN) * SCALE; x < (column + MARGIN + 1) * SCALE; x += 1) {
        rows[start + 1 + (x >> 3)]! &= ~(0x80 >> (x & 7));
      }
    }
    for (let copy = 1; copy < SCALE; copy += 1) {
      rows.copyWithin(start + copy * row_bytes, start, start + row_bytes);
    }
  }
  return rows;
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}
