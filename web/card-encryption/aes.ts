import { base64, utf8 } from './base64.ts';
import { md5Hex } from './md5.ts';

const IV_CHARACTERS = 16;

/**
 * AES-256-CBC with PKCS#7 padding, as base64. The 32 characters of `key` are the key's bytes; the initialization vector
 * is the first 16 characters of its MD5 in hex, so the same card always gives the same text.
 */
export async function encryptAes(text: string, key: string): Promise<string> {
  const iv = utf8(md5Hex(utf8(key)).slice(0, IV_CHARACTERS));
  const aesKey = await crypto.subtle.importKey('raw', utf8(key), 'AES-CBC', false, ['encrypt']);
  return base64(new Uint8Array(await crypto.subtle.encrypt({ name: 'AES-CBC', iv }, aesKey, utf8(text))));
}
