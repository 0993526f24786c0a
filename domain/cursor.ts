import { isCanonicalUuid } from './identifiers.ts';
import { microsOf, utcOfMicros } from './iso-instant.ts';
import { utcMicros } from './local-time.ts';

/** The last row of a page: the next page begins after it. */
export interface Cursor {
  /** ISO 8601 UTC with six decimals, as the database stores it: a Date would lose the last three. */
  readonly createdAt: string;
  readonly id: string;
}

/** The first byte of a cursor. Another layout gets another version. */
const VERSION = 1;
const TIME_BYTES = 7;

/**
 * Encodes a cursor as an opaque text of 32 base64url characters: version (1 byte), microseconds since 1970 (7), UUID
 * (16). Throws a RangeError if the time is before 1970 or does not have six decimals, or if the id is not a UUID.
 */
export function encodeCursor(cursor: { readonly createdAt: Date | string; readonly id: string }): string {
  const text = typeof cursor.createdAt === 'string' ? cursor.createdAt : utcMicros(cursor.createdAt);
  const micros = /\.[0-9]{6}Z$/.test(text) ? microsOf(text) : null;
  if (micros === null || micros < 0n) throw new RangeError('Not a creation time in microseconds.');
  if (!isCanonicalUuid(cursor.id)) throw new RangeError('Not a UUID.');
  const time = micros.toString(16).padStart(TIME_BYTES * 2, '0');
  return Buffer.from(`0${VERSION}${time}${cursor.id.replaceAll('-', '')}`, 'hex').toString('base64url');
}

/** Decodes a cursor that a client sent back. Its id is in lower case. Null if the text is not a cursor. */
export function decodeCursor(text: string): Cursor | null {
  if (!/^[A-Za-z0-9_-]{32}$/.test(text)) return null;
  const bytes = Buffer.from(text, 'base64url');
  if (bytes[0] !== VERSION) return null;
  const micros = BigInt(`0x${bytes.toString('hex', 1, 1 + TIME_BYTES)}`);
  const hex = bytes.toString('hex', 1 + TIME_BYTES);
  const id = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join(
    '-',
  );
  return { createdAt: utcOfMicros(micros), id };
}
