import { deleteExpiredCodes, slotsWithExpiredCodes } from '../db/card-security-codes.ts';
import type { Deps } from '../services/deps.ts';

/** Deletes the security codes that no authorization came for in 15 minutes; resolves to how many. */
export async function runOnce(deps: Pick<Deps, 'db' | 'wall'>): Promise<number> {
  const wall = deps.wall();
  let deleted = 0;
  for (const slot of await slotsWithExpiredCodes(deps.db, wall)) {
    deleted += await deleteExpiredCodes(deps.db, slot, wall);
  }
  return deleted;
}
