import { deleteExpiredCodes, slotsWithExpiredCodes } from '../db/cards/card-security-codes.ts';
import type { MerchantScope } from '../domain/scope.ts';
import type { Deps } from '../services/deps.ts';
import { type Work, WorkLoop } from '../services/work-loop.ts';

type Needed = Pick<Deps, 'db' | 'wall' | 'log'>;

const BATCH = 1_000;

/** Security codes that no authorization came for in 15 minutes. One statement deletes a batch: its claim. */
export function codesToExpire({ db, wall }: Needed): Work<MerchantScope> {
  return {
    findSlots: () => slotsWithExpiredCodes(db, wall()),
    claim: (slot, { limit }) => deleteExpiredCodes(db, slot, { wall: wall(), limit }),
    run: async () => true,
    failure: () => ({ message: 'deleting security codes failed' }),
    firstBatch: BATCH,
    batch: BATCH,
    concurrency: BATCH,
  };
}

/** Deletes the expired codes; resolves to how many. */
export async function runOnce(deps: Needed): Promise<number> {
  return (await new WorkLoop(deps, codesToExpire(deps)).runToEnd()).claimed;
}
