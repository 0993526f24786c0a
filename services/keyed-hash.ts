import { createHmac } from 'node:crypto';

/** What a keyed hash is for: equal values of different purposes have unrelated hashes. */
export type HashPurpose = 'api-key' | 'card-fingerprint' | 'idempotency-body';

/** HMAC-SHA-256 under the service's pepper (`KEY_PEPPER`): 32 bytes. Nobody without the pepper can test a guess. */
export type KeyedHash = (purpose: HashPurpose, value: string | Buffer) => Buffer;

/** The keyed hash under this pepper. */
export function keyedHash(pepper: string): KeyedHash {
  return (purpose, value) => createHmac('sha256', pepper).update(`${purpose}\0`).update(value).digest();
}
