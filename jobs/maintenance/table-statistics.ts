import { analyzeOutgrownTables } from '../../db/engine/table-statistics.ts';
import type { Deps } from '../../services/deps.ts';

/**
 * Keeps the planner's statistics of young tables up to date. Returns 0, so that the job pauses: a table that another
 * process is analyzing would be found again at once.
 */
export async function gatherStatistics(deps: Pick<Deps, 'db'>): Promise<number> {
  await analyzeOutgrownTables(deps.db);
  return 0;
}
