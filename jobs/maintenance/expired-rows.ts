import { deleteExpired, usedSlots } from '../../db/expired-rows.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { Deps } from '../../services/deps.ts';
import type { ExpiringTable } from '../area.ts';
import { deletions, type Work } from '../work-loop.ts';

/** Rows that are past their time, in any of the tables. */
export function expiredRows(deps: Pick<Deps, 'db'>, tables: readonly ExpiringTable[]): Work<MerchantScope> {
  return deletions({
    findSlots: () => usedSlots(deps.db),
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
