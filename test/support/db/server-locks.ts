/** Advisory locks by which processes that share a Postgres of the tests know what is in use. */

const NAME_OF_PROCESS = 'centavo test ';
/** The application_name of this process. Processes that wait for it print it. */
export const nameOfProcess = `${NAME_OF_PROCESS}${process.pid}`;
const LOCK_TIMEOUT_PASSED = '55P03';

/** `mode` is '' or '_shared'. */
export const lock = (name: string, mode = '') =>
  `select pg_advisory_lock${mode}(hashtextextended('${name}', 0))`;
export const unlock = (name: string, mode = '') =>
  `select pg_advisory_unlock${mode}(hashtextextended('${name}', 0))`;

/**
 * Takes a lock that others share. Prints who they are when that takes longer than `patience_ms`, and continues without
 * the lock after `limit_ms`.
 */
export async function waitForOthers(
  query: (sql: string) => Promise<Record<string, string>[]>,
  name: string,
  { patience_ms = 10_000, limit_ms = 30 * 60_000, say = (line: string): void => console.error(line) } = {},
): Promise<void> {
  for (const timeout_ms of [patience_ms, limit_ms]) {
    try {
      await query(`set lock_timeout = ${timeout_ms}`);
      await query(lock(name));
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== LOCK_TIMEOUT_PASSED) throw error;
      const others = await query(
        `select distinct application_name as name from pg_stat_activity
         where application_name like '${NAME_OF_PROCESS}%' and pid <> pg_backend_pid() order by name`,
      );
      const names = others.map((other) => other.name).join(', ') || 'another process';
      if (timeout_ms === patience_ms) say(`The Postgres of the tests waits for others who use it: ${names}.`);
      else say(`The Postgres of the tests stops, though others still use it: ${names}.`);
    }
  }
}
