import { deleteHeartbeatsBefore, latestHeartbeat, storeHeartbeat } from '../db/worker-heartbeats.ts';
import type { Deps } from './deps.ts';

/** How often a worker reports that it runs. */
export const HEARTBEAT_MS = 2_000;
/** A worker without a heartbeat for longer counts as dead. */
const HEARTBEAT_TIMEOUT_MS = 15_000;

/** Reports that this worker runs, and deletes heartbeats that are some minutes old. */
export async function recordHeartbeat(deps: Deps, workerId: string): Promise<void> {
  const at = deps.wall();
  await storeHeartbeat(deps.db, workerId, at);
  await deleteHeartbeatsBefore(deps.db, new Date(at.getTime() - 20 * HEARTBEAT_TIMEOUT_MS));
}

/** Throws unless the database answers and a worker runs. */
export async function assertReady(deps: Deps): Promise<void> {
  const seenAt = await latestHeartbeat(deps.db);
  if (seenAt === null || deps.wall().getTime() - seenAt.getTime() > HEARTBEAT_TIMEOUT_MS) {
    throw new Error('No worker has reported lately.');
  }
}
