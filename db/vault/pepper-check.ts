import type { Database } from '../engine/database.ts';

/** What the pepper of this database is told by; undefined until one was kept. */
export async function findPepperCheck(db: Database): Promise<Buffer | undefined> {
  const [row] = await db.anywhere<{ hash: Buffer }>('select hash from pepper_check');
  return row?.hash;
}

/** Keeps this one, unless another process was first. */
export async function insertPepperCheck(db: Database, hash: Buffer): Promise<void> {
  await db.anywhere('insert into pepper_check (hash) values (:hash) on conflict do nothing', { hash });
}
