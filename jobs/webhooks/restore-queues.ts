import { usedSlots } from '../../db/merchants/used-slots.ts';
import { findLostQueues } from '../../db/webhooks/lost-queues.ts';
import { wakeQueues } from '../../db/webhooks/queues.ts';
import type { Deps } from '../../services/deps.ts';

/**
 * Inserts the queues of deliveries that have none. Only a worker that stopped for longer than its lease, and then died
 * between two statements, can leave some.
 */
export async function restoreQueues(
  deps: Pick<Deps, 'db' | 'wall' | 'log' | 'countRestoredQueue'>,
): Promise<void> {
  for (const slot of await usedSlots(deps.db)) {
    for (const queue of await findLostQueues(deps.db, slot)) {
      await wakeQueues(deps.db, queue, [queue.queueId], deps.wall());
      deps.countRestoredQueue();
      deps.log.warn({ merchant_id: queue.merchantId, queue_id: queue.queueId }, 'webhook queue restored');
    }
  }
}
