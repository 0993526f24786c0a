import { isUtf8 } from 'node:buffer';
import { createDecipheriv, createHash, createPrivateKey } from 'node:crypto';
import { compactDecrypt } from 'jose';
import type { CardInput } from '../../domain/cards/card-data.ts';
import { BLOCK_BYTES, trailerOf } from './aes-padding.ts';

/*
 * Decrypts the card data that a browser encrypted (contract rows 4.1 to 4.3). A sender of modified texts must not learn
 * why one failed:
 *
 * - Every failure has the same result, null, and this file throws no errors.
 * - The AES form is not authenticated, so the padding could be used as an oracle (Vaudenay). The padding check and the
 *   JSON parser both run on every text, and neither depends on the result of the other: the padding check does not
 *   branch on values, and trailing bytes that could be padding are removed before parsing, whether they are right or
 *   wrong. So the time may depend on the JSON, but not on whether the padding is right.
 * - The JWE form is authenticated: no part of a modified text is used. When the RSA part cannot be decrypted, the
 *   library continues with a random key (RFC 7516, 11.5). The document is parsed after a failure too, from no bytes.
 * - Early refusals (length, alphabet) depend on the text of the sender only, and not on a key.
 */

/** A real card has about 500 bytes. The limit bounds the work for one request. */
const MAX_CHARACTERS = 16 * 1024;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const NOTHING = Buffer.alloc(0);

/** A merchant's keys, unencrypted. */
export interface CardKeys {
  /** 32 ASCII characters. */
  readonly encryptionKey: string;
  /** PKCS #8 DER. */
  readonly privateKey: Buffer;
}

/** The decrypted bytes, and whether they are genuine. The result of both forms. */
interface Decrypted {
  readonly isGenuine: boolean;
  readonly bytes: Buffer;
}

/** Decrypts a card from a text of either form. Its values are not validated. Null for a text that cannot be read. */
export async function openEncryptedCard(encrypted: string, keys: CardKeys): Promise<CardInput | null> {
  if (encrypted.length > MAX_CHARACTERS) return null;
  const decrypted = encrypted.includes('.')
    ? await decryptJwe(encrypted, keys.privateKey)
    : decryptAes(encrypted, keys.encryptionKey);
  return decrypted === null ? null : readDocument(decrypted);
}

/** Null for a text that is not base64, or not a multiple of the block size. */
function decryptAes(encrypted: string, encryptionKey: string): Decrypted | null {
  const ciphertext = BASE64.test(encrypted) ? Buffer.from(encrypted, 'base64') : NOTHING;
  if (ciphertext.length === 0 || ciphertext.length % BLOCK_BYTES !== 0) return null;
  // The first 16 characters of the hex text, and not the 8 bytes that they encode, as the specification says.
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

/** Parses the document in any case, and returns it only if the bytes are genuine. */
function readDocument({ isGenuine, bytes }: Decrypted): CardInput | null {
  const isText = isUtf8(bytes);
  const card = cardIn(parsed(bytes.toString('utf8')));
  return isGenuine && isText ? card : null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's message quotes the text, so it is dropped.
    return null;
  }
}

/** `cardData` of the document. `cardHolder` next to it is ignored. */
function cardIn(document: unknown): CardInput | null {
  const data = isObject(document) ? document.cardData : null;
  if (!isObject(data)) return null;
  const { number, holder, expMonth, expYear, securityCode } = data;
  return { number, holder, expMonth, expYear, securityCode };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
