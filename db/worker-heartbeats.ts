import type { Database } from './engine/database.ts';

/** Stores that a worker was alive at `at` (wall time). */
export async function beat(db: Database, workerId: string, at: Date): Promise<void> {
  await db.anywhere(
    `insert into worker_heartbeats (worker_id, seen_at) values (:worker_id, :at)
     on conflict (worker_id) do update set seen_at = excluded.seen_at`,
    { worker_id: workerId, at },
  );
}

/** When a worker was last alive; null when none ever was. Throws `DatabaseUnavailable`. */
export async function lastBeat(db: Database): Promise<Date | null> {
  const [row] = await db.anywhere<{ seen_at: Date | null }>(
    'select max(seen_at) as seen_at from worker_heartbeats',
  );
  return row?.seen_at ?? null;
}

/** Deletes the workers that were last alive before `before` (wall time). */
export async function deleteBeatsBefore(db: Database, before: Date): Promise<void> {
  await db.anywhere('delete from worker_heartbeats where seen_at < :before', { before });
}
