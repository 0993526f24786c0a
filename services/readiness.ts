import { beat, deleteBeatsBefore, lastBeat } from '../db/worker-heartbeats.ts';
import type { Deps } from './deps.ts';

/** How often a worker reports that it is alive. */
export const HEARTBEAT_MS = 2_000;
/** A worker without a report for longer counts as dead. */
const SILENT_MS = 15_000;

/** Reports that this worker is alive, and deletes reports that are minutes old. */
export async function sayAlive(deps: Deps, workerId: string): Promise<void> {
  const at = deps.wall();
  await beat(deps.db, workerId, at);
  await deleteBeatsBefore(deps.db, new Date(at.getTime() - 20 * SILENT_MS));
}

/** Throws unless the database answers and a worker is alive. */
export async function assertReady(deps: Deps): Promise<void> {
  const seenAt = await lastBeat(deps.db);
  if (seenAt === null || deps.wall().getTime() - seenAt.getTime() > SILENT_MS) {
    throw new Error('No worker has been seen lately.');
  }
}
