import { deleteExpiredCodes, slotsWithExpiredCodes } from '../../db/cards/card-security-codes.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { Deps } from '../../services/deps.ts';
import { batchWork, type Work } from '../work-loop.ts';

type Needed = Pick<Deps, 'db' | 'wall' | 'log'>;

/** Security codes that were not used within 15 minutes. */
export function expiredSecurityCodes({ db }: Needed): Work<MerchantScope> {
  return batchWork({
    findSlots: (wall) => slotsWithExpiredCodes(db, wall),
    claim: (slot, { wall, limit }) => deleteExpiredCodes(db, slot, { wall, limit }),
    failure: () => ({ message: 'deleting security codes failed' }),
  });
}
