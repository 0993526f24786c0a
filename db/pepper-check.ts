import type { MerchantScope } from '../domain/scope.ts';
import type { Database } from './database.ts';

/** What the pepper of this database is told by; undefined until one was kept. */
export async function findPepperCheck(db: Database): Promise<Buffer | undefined> {
  const [row] = await db.anywhere<{ hash: Buffer }>('select hash from pepper_check');
  return row?.hash;
}

/** Keeps this one, unless another process was first. */
export async function insertPepperCheck(db: Database, hash: Buffer): Promise<void> {
  await db.anywhere('insert into pepper_check (hash) values (:hash) on conflict do nothing', { hash });
}

export interface FingerprintedCard extends MerchantScope {
  readonly id: string;
  readonly numberSealed: Buffer;
  readonly fingerprint: Buffer;
}

/** Any card, whosever it is, that still has its number; undefined when there is none. */
export async function findAnyCard(db: Database): Promise<FingerprintedCard | undefined> {
  const [row] = await db.anywhere<{
    slot: number;
    merchant_id: string;
    id: string;
    number_sealed: Buffer;
    fingerprint: Buffer;
  }>('select slot, merchant_id, id, number_sealed, fingerprint from cards where deleted_at is null limit 1');
  return (
    row && {
      slot: row.slot,
      merchantId: row.merchant_id,
      id: row.id,
      numberSealed: row.number_sealed,
      fingerprint: row.fingerprint,
    }
  );
}
