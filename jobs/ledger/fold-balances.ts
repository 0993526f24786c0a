import { foldBalances } from '../../db/ledger/balances.ts';
import { usedSlots } from '../../db/merchants/used-slots.ts';
import { DAY_MS } from '../../domain/durations.ts';
import { merchantDay } from '../../domain/local-time.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { Deps } from '../../services/deps.ts';
import { batchWork, type Work } from '../work-loop.ts';

type Needed = Pick<Deps, 'db' | 'wall' | 'log'>;

/**
 * Balances of past days. No merchant's clock is more than moments behind wall time, so days before yesterday are past
 * for every merchant.
 */
export function pastBalances({ db }: Needed): Work<MerchantScope> {
  return batchWork({
    findSlots: () => usedSlots(db),
    claim: (slot, { wall, limit }) => {
      const before = merchantDay(new Date(wall.getTime() - DAY_MS));
      return foldBalances(db, slot, { before, limit });
    },
    failure: () => ({ message: 'folding balances failed' }),
  });
}
