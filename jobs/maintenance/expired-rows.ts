import { deleteExpired, slotsOfRows } from '../../db/expired-rows.ts';
import { usedSlots } from '../../db/merchants/used-slots.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { Deps } from '../../services/deps.ts';
import type { ExpiringTable } from '../area.ts';
import { batchWork, type Work } from '../work-loop.ts';

/** Expired rows of all these tables. */
export function expiredRows(deps: Pick<Deps, 'db'>, tables: readonly ExpiringTable[]): Work<MerchantScope> {
  return batchWork({
    findSlots: async () => {
      const inAnySlot = tables.filter(({ isInAnySlot }) => isInAnySlot);
      const slots = await Promise.all([
        usedSlots(deps.db),
        ...inAnySlot.map((table) => slotsOfRows(deps.db, table)),
      ]);
      return [...new Set(slots.flat())];
    },
    claim: async (slot, { wall, limit }) => {
      const deleted: MerchantScope[] = [];
      for (const table of tables) {
        const before = new Date(wall.getTime() - table.kept_ms);
        deleted.push(...(await deleteExpired(deps.db, slot, { table, before, limit })));
      }
      return deleted;
    },
    failure: () => ({ message: 'deleting old rows failed' }),
  });
}
