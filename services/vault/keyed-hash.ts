import { createHmac } from 'node:crypto';
import type { Database } from '../../db/engine/database.ts';
import { findPepperCheck, insertPepperCheck } from '../../db/vault/pepper-check.ts';
import { RESTORE_SECRETS } from './local-secrets.ts';

/** The purpose of a keyed hash. Equal values have different hashes for different purposes. */
export type HashPurpose =
  | 'api-key'
  | 'card-fingerprint'
  | 'card-key'
  | 'checkout-terms'
  | 'counter'
  | 'idempotency-body'
  | 'pepper-check';

/** HMAC-SHA-256 with the service's pepper (`KEY_PEPPER`): 32 bytes. Without the pepper, guesses cannot be checked. */
export type KeyedHash = (purpose: HashPurpose, value: string | Buffer) => Buffer;

/** The keyed hash with this pepper. */
export function keyedHash(pepper: string): KeyedHash {
  return (purpose, value) => createHmac('sha256', pepper).update(`${purpose}\0`).update(value).digest();
}

/**
 * The keyed hash with this pepper. The database stores a hash of a fixed text, made with the first pepper. Throws for
 * another pepper, with which every API key would be refused and no card would be recognized.
 */
export async function openKeyedHash(db: Database, pepper: string): Promise<KeyedHash> {
  const hash = keyedHash(pepper);
  const check = hash('pepper-check', 'Centavo');
  let stored = await findPepperCheck(db);
  if (stored === undefined) {
    await insertPepperCheck(db, check);
    stored = await findPepperCheck(db);
  }
  if (!stored?.equals(check)) {
    throw new Error(
      `KEY_PEPPER is not the one of this database. ${RESTORE_SECRETS} If the first one was a mistake, delete the row of pepper_check.`,
    );
  }
  return hash;
}
