import { createHmac } from 'node:crypto';
import type { Database } from '../../db/engine/database.ts';
import { findPepperCheck, insertPepperCheck } from '../../db/vault/pepper-check.ts';
import { BRING_SECRETS_BACK } from './local-secrets.ts';

/** What a keyed hash is for: equal values of different purposes have unrelated hashes. */
export type HashPurpose = 'api-key' | 'card-fingerprint' | 'idempotency-body' | 'pepper-check';

/** HMAC-SHA-256 under the service's pepper (`KEY_PEPPER`): 32 bytes. Without the pepper a guess cannot be tested. */
export type KeyedHash = (purpose: HashPurpose, value: string | Buffer) => Buffer;

/** The keyed hash under this pepper. */
export function keyedHash(pepper: string): KeyedHash {
  return (purpose, value) => createHmac('sha256', pepper).update(`${purpose}\0`).update(value).digest();
}

/**
 * The keyed hash under this pepper. The database remembers the first pepper that it was opened with, by the hash of a fixed
 * text; throws a sentence for another one, with which every API key would be refused and no card recognized.
 */
export async function openKeyedHash(db: Database, pepper: string): Promise<KeyedHash> {
  const hash = keyedHash(pepper);
  const check = hash('pepper-check', 'Centavo');
  let kept = await findPepperCheck(db);
  if (kept === undefined) {
    await insertPepperCheck(db, check);
    kept = await findPepperCheck(db);
  }
  if (!kept?.equals(check)) {
    throw new Error(
      `KEY_PEPPER is not that of this database. ${BRING_SECRETS_BACK} If the one that was kept first was the mistake, delete the row of pepper_check.`,
    );
  }
  return hash;
}
