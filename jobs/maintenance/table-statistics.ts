import { analyzeOutgrownTables } from '../../db/engine/table-statistics.ts';
import type { Deps } from '../../services/deps.ts';

/**
 * Keeps the planner's statistics of new tables up to date. Returns 0, so that the job pauses: without a pause it would
 * find again a table that another process is analyzing.
 */
export async function gatherStatistics(deps: Pick<Deps, 'db'>): Promise<number> {
  await analyzeOutgrownTables(deps.db);
  return 0;
}
