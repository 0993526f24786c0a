import { isUtf8 } from 'node:buffer';
import { createDecipheriv, createHash, createPrivateKey } from 'node:crypto';
import { compactDecrypt } from 'jose';
import type { CardInput } from '../../domain/cards/card-data.ts';

/*
 * Opens what a browser encrypted (contract rows 4.1 to 4.3). Whoever sends altered texts must not learn why one failed:
 *
 * - There is one outcome for every failure, null, and no error leaves this file.
 * - The AES form is not authenticated, so what could tell is the padding (Vaudenay's oracle). Its check and the reading
 *   of the JSON both run on every text, neither on the other's result: padding is looked at without a branch on its
 *   value, and the document is found by cutting off trailing bytes that could be padding, right or wrong. So time may
 *   depend on the JSON that comes out, but not on whether the padding was right.
 * - The JWE form is authenticated: nothing of a text that was altered is looked at. The library goes on with a random
 *   key when the RSA part does not open (RFC 7516, 11.5); the document is read on failure too, of no bytes.
 * - What refuses early (length, alphabet) depends on the text that the caller sent, and on no key.
 */

/** Some 500 bytes are a real card. The limit bounds the work that one request can ask for. */
const MAX_CHARACTERS = 16 * 1024;
const BLOCK_BYTES = 16;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const NOTHING = Buffer.alloc(0);

/** A merchant's keys, open. */
export interface CardKeys {
  /** 32 ASCII characters. */
  readonly encryptionKey: string;
  /** PKCS #8 DER. */
  readonly privateKey: Buffer;
}

/** The bytes that came out, and whether they may be believed. Both forms end in this. */
export interface Decrypted {
  readonly isGenuine: boolean;
  readonly bytes: Buffer;
}

/** The card in an encrypted text of either form, its values not yet judged; null for whatever cannot be read. */
export async function openEncryptedCard(encrypted: string, keys: CardKeys): Promise<CardInput | null> {
  if (encrypted.length > MAX_CHARACTERS) return null;
  const decrypted = encrypted.includes('.')
    ? await decryptJwe(encrypted, keys.privateKey)
    : decryptAes(encrypted, keys.encryptionKey);
  return decrypted === null ? null : readDocument(decrypted);
}

/** Null for a text that no key could open: not base64, or not whole blocks. */
export function decryptAes(encrypted: string, encryptionKey: string): Decrypted | null {
  const ciphertext = BASE64.test(encrypted) ? Buffer.from(encrypted, 'base64') : NOTHING;
  if (ciphertext.length === 0 || ciphertext.length % BLOCK_BYTES !== 0) return null;
  // The first 16 characters of the hex text, not the 8 bytes that they spell: so the source text has it.
  const iv = createHash('md5').update(encryptionKey).digest('hex').slice(0, BLOCK_BYTES);
  const decipher = createDecipheriv('aes-256-cbc', encryptionKey, iv).setAutoPadding(false);
  const bytes = Buffer.concat([decipher.update(ciphertext), decipher.final()]);
  const { isPadding, length } = trailerOf(bytes);
  return { isGenuine: isPadding, bytes: bytes.subarray(0, bytes.length - length) };
}

async function decryptJwe(encrypted: string, privateKey: Buffer): Promise<Decrypted> {
  try {
    const key = createPrivateKey({ key: privateKey, format: 'der', type: 'pkcs8' });
    const { plaintext } = await compactDecrypt(encrypted, key, {
      keyManagementAlgorithms: ['RSA-OAEP-256'],
      contentEncryptionAlgorithms: ['A256GCM'],
      maxDecompressedLength: 0,
    });
    return { isGenuine: true, bytes: Buffer.from(plaintext) };
  } catch {
    return { isGenuine: false, bytes: NOTHING };
  }
}

/**
 * How many trailing bytes of the last block could be padding (0 to 16: no JSON ends in one, but for white space), and
 * whether they are: PKCS #7 (RFC 5652, 6.3) with at most white space before it. Takes the same steps for all bytes.
 */
export function trailerOf(bytes: Buffer): { readonly isPadding: boolean; readonly length: number } {
  const count = bytes[bytes.length - 1]!;
  // Any bit that gets set is a fault. A negative number shifted right by 8 is all ones here, another one zero.
  let faults = ((count - 1) >> 8) | ((BLOCK_BYTES - count) >> 8);
  let trailing = -1;
  let length = 0;
  for (let i = 1; i <= BLOCK_BYTES; i += 1) {
    const byte = bytes[bytes.length - i]!;
    const beyond = (count - i) >> 8;
    trailing &= (byte - BLOCK_BYTES - 1) >> 8;
    length -= trailing;
    faults |= ~beyond & (byte ^ count);
    faults |= beyond & trailing & ((byte ^ TAB) * (byte ^ LINE_FEED) * (byte ^ CARRIAGE_RETURN));
  }
  return { isPadding: faults === 0, length };
}

/** Reads the document whether or not the bytes are genuine, and says so only of genuine ones. */
export function readDocument({ isGenuine, bytes }: Decrypted): CardInput | null {
  const isText = isUtf8(bytes);
  const card = cardIn(parsed(bytes.toString('utf8')));
  return isGenuine && isText ? card : null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's message quotes the text, so it goes no further.
    return null;
  }
}

/** `cardData` of the document; `cardHolder` beside it is not looked at. */
function cardIn(document: unknown): CardInput | null {
  const data = isObject(document) ? document.cardData : null;
  if (!isObject(data)) return null;
  const { number, holder, expMonth, expYear, securityCode } = data;
  return { number, holder, expMonth, expYear, securityCode };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
