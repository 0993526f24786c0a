import { base64Url, utf8 } from './base64.ts';

/** The public key of `GET /cards/encryption-key`, as JWK (RFC 7517). */
export interface PublicJwk {
  readonly kty: string;
  readonly n: string;
  readonly e: string;
  readonly kid?: string;
  readonly use?: string;
  readonly alg?: string;
}

const CONTENT_KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** A compact JWE (RFC 7516) of a text, RSA-OAEP-256 and A256GCM. */
export async function encryptJwe(text: string, { kty, n, e, kid }: PublicJwk): Promise<string> {
  const oaep = { name: 'RSA-OAEP', hash: 'SHA-256' };
  const publicKey = await crypto.subtle.importKey('jwk', { kty, n, e }, oaep, false, ['encrypt']);
  const contentKey = crypto.getRandomValues(new Uint8Array(CONTENT_KEY_BYTES));
  const gcmKey = await crypto.subtle.importKey('raw', contentKey, 'AES-GCM', false, ['encrypt']);
  const encryptedKey = await crypto.subtle.encrypt(oaep, publicKey, contentKey);

  const header = { alg: 'RSA-OAEP-256', enc: 'A256GCM', ...(kid === undefined ? {} : { kid }) };
  const protectedHeader = base64Url(utf8(JSON.stringify(header)));
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const sealed = await crypto.subtle.encrypt(
    { name: 'AES-GCM', iv, additionalData: utf8(protectedHeader) },
    gcmKey,
    utf8(text),
  );
  const bytes = new Uint8Array(sealed);
  const parts = [new Uint8Array(encryptedKey), iv, bytes.slice(0, -TAG_BYTES), bytes.slice(-TAG_BYTES)];
  return [protectedHeader, ...parts.map(base64Url)].join('.');
}
