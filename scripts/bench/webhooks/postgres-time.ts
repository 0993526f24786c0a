import { readdirSync, readFileSync } from 'node:fs';
import type pg from 'pg';

/** A clock tick of /proc, in milliseconds. */
const TICK_MS = 10;
/** Fields of /proc/<pid>/stat after the name: parent; user and system time; the same of children that have ended. */
const [PARENT, OWN, OF_CHILDREN] = [1, [11, 12], [13, 14]] as const;

/**
 * Returns a function that reads the processor time of all processes of Postgres so far, milliseconds; null without
 * /proc.
 */
export async function postgresClock(pool: pg.Pool): Promise<() => number | null> {
  const { rows } = await pool.query<{ pid: number }>('select pg_backend_pid() as pid');
  const server = statOf(rows[0]!.pid)?.[PARENT];
  return () => (server === undefined ? null : timeOf(server));
}

function timeOf(server: string): number {
  const sum = (stat: readonly string[] | undefined, fields: readonly number[]) =>
    fields.reduce((total, field) => total + Number(stat?.[field] ?? 0), 0);
  const stats = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => ({ pid, stat: statOf(pid) }));
  const ticks = stats.reduce((total, { pid, stat }) => {
    if (pid === server) return total + sum(stat, [...OWN, ...OF_CHILDREN]);
    return stat?.[PARENT] === server ? total + sum(stat, OWN) : total;
  }, 0);
  return ticks * TICK_MS;
}

function statOf(pid: number | string): string[] | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
  } catch {
    return undefined;
  }
}
