import type { Database } from './engine/database.ts';

/** Says that a worker is alive (wall time). */
export async function beat(db: Database, workerId: string, at: Date): Promise<void> {
  await db.anywhere(
    `insert into worker_heartbeats (worker_id, seen_at) values (:worker_id, :at)
     on conflict (worker_id) do update set seen_at = excluded.seen_at`,
    { worker_id: workerId, at },
  );
}

/** When any worker was last seen, or null. Throws `DatabaseUnavailable`. */
export async function lastBeat(db: Database): Promise<Date | null> {
  const [row] = await db.anywhere<{ seen_at: Date | null }>(
    'select max(seen_at) as seen_at from worker_heartbeats',
  );
  return row?.seen_at ?? null;
}

/** Forgets the workers that were last seen before (wall time). */
export async function deleteBeatsBefore(db: Database, before: Date): Promise<void> {
  await db.anywhere('delete from worker_heartbeats where seen_at < :before', { before });
}
