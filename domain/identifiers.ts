import { BASE32, BASE36, BASE62, type RandomBytes, randomText } from './random-text.ts';

const CANONICAL_UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Counts the ids of this process; 26 bits, from a random start. */
let uuidCounter: number | undefined;

/**
 * UUID version 7 (RFC 9562, 5.7) in lower case. After the 48 bits of time come 26 of a counter (6.2, method 1), so ids
 * of one millisecond sort in the order in which they were made. 48 random bits follow. An id is not a secret.
 */
export function uuidV7(now_ms: number, random: RandomBytes): string {
  if (!Number.isInteger(now_ms) || now_ms < 0 || now_ms >= 2 ** 48)
    throw new RangeError('Not a time of UUID v7.');
  uuidCounter = ((uuidCounter ?? Number.parseInt(hexOf(random(4)), 16)) + 1) % 2 ** 26;
  const time = hex(now_ms, 12);
  const counterHigh = hex(0x7000 + Math.floor(uuidCounter / 2 ** 14), 4);
  const counterLow = hex(0x8000 + (uuidCounter % 2 ** 14), 4);
  return `${time.slice(0, 8)}-${time.slice(8)}-${counterHigh}-${counterLow}-${hexOf(random(6))}`;
}

/** The time at which `uuidV7` made an id. */
export function timeOfUuidV7(id: string): Date {
  return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16));
}

/** Whether a value is a UUID text in canonical form, either case. */
export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && isCanonicalUuid(value);
}

/** Canonical form: hex digits 8-4-4-4-12, either case, of any version. */
export function isCanonicalUuid(text: string): boolean {
  return CANONICAL_UUID.test(text);
}

/** Shaped like a UUID (contract row 4.8): 32 hex digits with or without dashes, or 36 characters with dashes. */
export function looksLikeUuid(text: string): boolean {
  if (text.length === 36 && text.includes('-')) return true;
  return /^[0-9a-f]{32}$/i.test(text.replaceAll('-', ''));
}

/** The form in which ids are stored and compared. */
export function normalizeUuid(text: string): string {
  return text.toLowerCase();
}

/**
 * The slot in two base32 characters, the first of `a`–`h`. The hashes and references that we give to others begin with
 * it, so that a look-up without a known merchant reads one slot only. Throws a RangeError outside 0–255.
 */
export function slotPrefix(slot: number): string {
  if (!Number.isInteger(slot) || slot < 0 || slot > 255) throw new RangeError('A slot is 0 to 255.');
  return BASE32.charAt(slot >> 5) + BASE32.charAt(slot & 31);
}

/** The slot with which a hash, reference or txid of ours begins; null when it does not begin with one. */
export function slotOfHash(text: string): number | null {
  const high = BASE32.indexOf(text.charAt(0) || '?');
  const low = BASE32.indexOf(text.charAt(1) || '?');
  return high < 0 || high > 7 || low < 0 ? null : high * 32 + low;
}

/** Public hash: the slot, then 24 characters (120 bits) that cannot be guessed; all of `a-z2-7`. */
export function publicHash(slot: number, random: RandomBytes): string {
  return slotPrefix(slot) + randomText(BASE32, 24, random);
}

/** Whether a text has the form of a public hash. */
export function isPublicHash(text: string): boolean {
  return /^[a-h][a-z2-7]{25}$/.test(text);
}

/** Our reference for one call to the acquirer: the slot, then 30 random characters; all of `a-z0-9`. */
export function operationReference(slot: number, random: RandomBytes): string {
  return slotPrefix(slot) + randomText(BASE36, 30, random);
}

/**
 * Our reference for a call to the acquirer that is made for one object: the same for the same UUID, all of `a-z0-9`.
 */
export function referenceOfId(slot: number, id: string): string {
  return slotPrefix(slot) + normalizeUuid(id).replaceAll('-', '');
}

/** The txid of a Pix charge, `[a-zA-Z0-9]{26,35}` by the Pix API: 32 characters here, which begin with the slot. */
export function pixTxid(slot: number, random: RandomBytes): string {
  return slotPrefix(slot) + randomText(BASE36, 30, random);
}

/** The end-to-end id of a Pix: `E`, the payer bank's ISPB (8 digits), UTC minute `yyyyMMddHHmm`, 11 alphanumerics. */
export function endToEndId(ispb: string, at: Date, random: RandomBytes): string {
  if (!/^[0-9]{8}$/.test(ispb)) throw new RangeError('An ISPB is eight digits.');
  const minute = at.toISOString().slice(0, 16).replace(/[-T:]/g, '');
  return `E${ispb}${minute}${randomText(BASE62, 11, random)}`;
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}

/** The two digits of each byte. A table, because every row needs an id. */
const HEX_OF_BYTE = Array.from({ length: 256 }, (_, byte) => hex(byte, 2));

function hexOf(bytes: Uint8Array): string {
  let text = '';
  for (const byte of bytes) text += HEX_OF_BYTE[byte];
  return text;
}
