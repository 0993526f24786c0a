import type { Database } from '../engine/database.ts';

/** The hash that identifies the pepper of this database; undefined if none is stored. */
export async function findPepperCheck(db: Database): Promise<Buffer | undefined> {
  const [row] = await db.anywhere<{ hash: Buffer }>('select hash from pepper_check');
  return row?.hash;
}

/** Stores the hash, unless another process has stored one. */
export async function insertPepperCheck(db: Database, hash: Buffer): Promise<void> {
  await db.anywhere('insert into pepper_check (hash) values (:hash) on conflict do nothing', { hash });
}
