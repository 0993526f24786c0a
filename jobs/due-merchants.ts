import {
  type DueRows,
  merchantsWithDueRows,
  merchantsWithRowsDueByClock,
  slotsWithDueRows,
  slotsWithRowsDueByClock,
} from '../db/due-rows.ts';
import type { MerchantScope } from '../domain/scope.ts';
import type { Deps } from '../services/deps.ts';
import type { Work } from './work-loop.ts';

/**
 * Finds the merchants who have rows with a step that is due, by wall time. In the sandbox also by clocks that were
 * advanced; a clock is never behind wall time. While a clock is being advanced, the advance runs its steps itself, in
 * order.
 */
export function dueMerchants(deps: Deps, rows: DueRows): Pick<Work<MerchantScope>, 'findSlots' | 'claim'> {
  const isSandbox = deps.environment === 'sandbox';
  return {
    findSlots: async (wall) => {
      const slots = await slotsWithDueRows(deps.db, rows, wall);
      const ahead = isSandbox ? await slotsWithRowsDueByClock(deps.db, rows, wall) : [];
      return [...new Set([...slots, ...ahead])];
    },
    claim: async (slot, { wall, ...claim }) => {
      const due = await merchantsWithDueRows(deps.db, slot, rows, { ...claim, until: wall });
      if (!isSandbox || due.length === claim.limit) return due;
      const except = [...claim.except, ...due.map(({ merchantId }) => merchantId)];
      const rest = { only: claim.only, limit: claim.limit - due.length, except, wall };
      return [...due, ...(await merchantsWithRowsDueByClock(deps.db, slot, rows, rest))];
    },
  };
}
