import { readBacklog } from '../../db/webhooks/backlog.ts';
import type { Deps } from '../../services/deps.ts';

const MAX_COUNTED = 100_000;

/** Reports to the metrics what is not delivered yet, in all merchants. */
export async function measureBacklog(deps: Pick<Deps, 'db' | 'wall' | 'setWebhookBacklog'>): Promise<void> {
  const wall = deps.wall();
  const { oldestDueAt, ...counts } = await readBacklog(deps.db, wall, MAX_COUNTED);
  const oldestDue_s = oldestDueAt === null ? 0 : (wall.getTime() - oldestDueAt.getTime()) / 1_000;
  deps.setWebhookBacklog({ oldestDue_s, ...counts });
}
