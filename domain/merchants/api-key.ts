import { crc32 } from 'node:zlib';
import { slotOfHash, slotPrefix } from '../identifiers.ts';
import { BASE62, type RandomBytes, randomText } from '../random-text.ts';
import type { MerchantScope } from '../scope.ts';

/** API keys (contract row 1.3): prefix, 32 or more base62 characters, then a checksum that secret scanners verify. */
export type Environment = 'sandbox' | 'production';

export const API_KEY_STATUSES = ['active', 'disabled', 'suspended', 'revoked'] as const;
export type ApiKeyStatus = (typeof API_KEY_STATUSES)[number];

/** An API key without its value, of which only a keyed hash is stored. */
export interface ApiKey extends MerchantScope {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  readonly last4: string;
  readonly status: ApiKeyStatus;
  /** Null = everything. */
  readonly permissions: readonly string[] | null;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

export const API_KEY_PREFIXES: Readonly<Record<Environment, string>> = {
  sandbox: 'pay_test_',
  production: 'pay_live_',
};

export interface ApiKeyParts {
  readonly environment: Environment;
  /** Null when the key does not begin with a slot: it is well-formed, but was not made by us. */
  readonly slot: number | null;
  readonly prefix: string;
  /** The last four characters. Only these are shown after the key was created. */
  readonly last4: string;
}

const RANDOM_CHARACTERS = 32;
const CHECKSUM_CHARACTERS = 6;

/** A new key: prefix, slot (2), random (32 characters, 190 bits), checksum (6). */
export function makeApiKey(environment: Environment, slot: number, random: RandomBytes): string {
  const body = slotPrefix(slot) + randomText(BASE62, RANDOM_CHARACTERS, random);
  return API_KEY_PREFIXES[environment] + body + apiKeyChecksum(body);
}

/**
 * Reads the parts of a key. Null when it is malformed or its checksum is wrong. Whether the key exists is not checked.
 */
export function parseApiKey(text: string): ApiKeyParts | null {
  const match = /^(pay_test_|pay_live_)([0-9A-Za-z]{32,128})([0-9A-Za-z]{6})$/.exec(text);
  if (match === null) return null;
  const [, prefix, body, checksum] = match as unknown as [string, string, string, string];
  if (apiKeyChecksum(body) !== checksum) return null;
  const environment = prefix === API_KEY_PREFIXES.sandbox ? 'sandbox' : 'production';
  return { environment, slot: slotOfHash(body), prefix, last4: text.slice(-4) };
}

/** CRC-32 (as zlib's) of the text in base62: digits, upper case, lower case; zero-padded to six characters. */
function apiKeyChecksum(body: string): string {
  let rest = crc32(body);
  let text = '';
  for (let i = 0; i < CHECKSUM_CHARACTERS; i += 1) {
    text = BASE62.charAt(rest % 62) + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}
