import { createHmac } from 'node:crypto';
import type { Database } from '../db/database.ts';
import { findAnyCard, findPepperCheck, insertPepperCheck } from '../db/pepper-check.ts';
import { cardContext } from './card-context.ts';
import { BRING_SECRETS_BACK } from './local-secrets.ts';
import type { Vault } from './vault.ts';

/** What a keyed hash is for: equal values of different purposes have unrelated hashes. */
export type HashPurpose = 'api-key' | 'card-fingerprint' | 'idempotency-body' | 'pepper-check';

/** HMAC-SHA-256 under the service's pepper (`KEY_PEPPER`): 32 bytes. Nobody without the pepper can test a guess. */
export type KeyedHash = (purpose: HashPurpose, value: string | Buffer) => Buffer;

/** The keyed hash under this pepper. */
export function keyedHash(pepper: string): KeyedHash {
  return (purpose, value) => createHmac('sha256', pepper).update(`${purpose}\0`).update(value).digest();
}

/** By which equal numbers are told. Per merchant, so that equal cards of two merchants cannot be told from different ones. */
export function cardFingerprint(hash: KeyedHash, merchantId: string, number: string): Buffer {
  return hash('card-fingerprint', `${merchantId}:${number}`);
}

/**
 * The keyed hash under this pepper, which must be the database's: the first that comes is kept as that, by its hash of a
 * fixed text. Under another one every API key would be refused, and no card be known again. Throws a sentence then.
 */
export async function openKeyedHash(db: Database, vault: Vault, pepper: string): Promise<KeyedHash> {
  const hash = keyedHash(pepper);
  const check = hash('pepper-check', 'Centavo');
  let kept = await findPepperCheck(db);
  if (kept === undefined && (await fitsCards(db, vault, hash))) {
    await insertPepperCheck(db, check);
    kept = await findPepperCheck(db);
  }
  if (!kept?.equals(check)) {
    throw new Error(`KEY_PEPPER is not that of this database. ${BRING_SECRETS_BACK}`);
  }
  return hash;
}

/**
 * Whether nothing speaks against this pepper in a database from before peppers were checked: its API keys are known by
 * their hashes alone, but a card has its number beside its fingerprint. Without cards the first pepper is taken at its
 * word; who deletes the row of pepper_check has the next one taken.
 */
async function fitsCards(db: Database, vault: Vault, hash: KeyedHash): Promise<boolean> {
  const card = await findAnyCard(db);
  if (card === undefined) return true;
  const number = await vault.open(card.numberSealed, cardContext.number(card.id));
  return cardFingerprint(hash, card.merchantId, number.toString()).equals(card.fingerprint);
}
