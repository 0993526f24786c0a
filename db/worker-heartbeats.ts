import type { Database } from './engine/database.ts';

/** Stores that a worker runs at `at` (wall time). */
export async function storeHeartbeat(db: Database, workerId: string, at: Date): Promise<void> {
  await db.anywhere(
    `insert into worker_heartbeats (worker_id, seen_at) values (:worker_id, :at)
     on conflict (worker_id) do update set seen_at = excluded.seen_at`,
    { worker_id: workerId, at },
  );
}

/** The latest heartbeat of any worker; null if there is none. Throws `DatabaseUnavailable`. */
export async function latestHeartbeat(db: Database): Promise<Date | null> {
  const [row] = await db.anywhere<{ seen_at: Date | null }>(
    'select max(seen_at) as seen_at from worker_heartbeats',
  );
  return row?.seen_at ?? null;
}

/** Deletes the workers whose last heartbeat is before `before` (wall time). */
export async function deleteHeartbeatsBefore(db: Database, before: Date): Promise<void> {
  await db.anywhere('delete from worker_heartbeats where seen_at < :before', { before });
}
