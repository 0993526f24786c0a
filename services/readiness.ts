import { beat, deleteBeatsBefore, lastBeat } from '../db/worker-heartbeats.ts';
import type { Deps } from './deps.ts';

/** How often a worker says that it lives. */
export const HEARTBEAT_MS = 2_000;
/** A worker that has been silent for longer counts as gone. */
const SILENT_MS = 15_000;

/** Says that this worker lives, and forgets those that have been silent for minutes. */
export async function sayAlive(deps: Deps, workerId: string): Promise<void> {
  const at = deps.wall();
  await beat(deps.db, workerId, at);
  await deleteBeatsBefore(deps.db, new Date(at.getTime() - 20 * SILENT_MS));
}

/** Resolves while the database answers and some worker lives; throws otherwise. */
export async function assertReady(deps: Deps): Promise<void> {
  const seenAt = await lastBeat(deps.db);
  if (seenAt === null || deps.wall().getTime() - seenAt.getTime() > SILENT_MS) {
    throw new Error('No worker has been seen lately.');
  }
}
