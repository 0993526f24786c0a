import { analyzeOutgrownTables } from '../db/engine/table-statistics.ts';
import type { Deps } from '../services/deps.ts';

/**
 * Keeps the planner's idea of young tables true. Resolves to 0: one that another process is at would be found again at
 * once.
 */
export async function runOnce(deps: Pick<Deps, 'db'>): Promise<number> {
  await analyzeOutgrownTables(deps.db);
  return 0;
}
