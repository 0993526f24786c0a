import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { DAY_MS } from '../../../domain/durations.ts';

/** What a wallet token contains. */
export interface WalletToken {
  /** Another one for each token. */
  readonly id: string;
  /** In milliseconds since 1970, by the merchant's clock. */
  readonly expiresAt_ms: number;
  readonly domainName: string;
  readonly number: string;
}

/** How long a token is accepted. Those of real wallets last from minutes to a few days. */
const VALIDITY_MS = DAY_MS;

const PREFIX = 'wallet_';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const CIPHER = 'aes-256-gcm';

/** The key that seals wallet tokens: the same in every process that shares the acquirer's secret. */
export function walletTokenKey(secret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', 'wallet token', KEY_BYTES));
}

/** Makes a token for a card in the wallet. Only the acquirer can read it. */
export function sealWalletToken(
  key: Buffer,
  { createdAt, ...card }: { readonly createdAt: Date; readonly domainName: string; readonly number: string },
): { readonly token: string; readonly expiresAt: Date } {
  const expiresAt = new Date(createdAt.getTime() + VALIDITY_MS);
  const content: WalletToken = {
    id: randomBytes(16).toString('hex'),
    expiresAt_ms: expiresAt.getTime(),
    ...card,
  };
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce);
  const sealed = [cipher.update(JSON.stringify(content)), cipher.final()];
  const token = PREFIX + Buffer.concat([nonce, ...sealed, cipher.getAuthTag()]).toString('base64url');
  return { token, expiresAt };
}

/** Reads a token. Null if it was not made with this key, or by a version of the simulator without expiry. */
export function openWalletToken(key: Buffer, text: string): WalletToken | null {
  const bytes = Buffer.from(text.startsWith(PREFIX) ? text.slice(PREFIX.length) : '', 'base64url');
  // Base64 decoding ignores characters that do not belong there.
  if (PREFIX + bytes.toString('base64url') !== text || bytes.length <= NONCE_BYTES + TAG_BYTES) return null;
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    const sealed = bytes.subarray(NONCE_BYTES, -TAG_BYTES);
    const content = Buffer.concat([decipher.update(sealed), decipher.final()]).toString('utf8');
    const token: WalletToken = JSON.parse(content);
    return token.expiresAt_ms === undefined ? null : token;
  } catch {
    return null;
  }
}
