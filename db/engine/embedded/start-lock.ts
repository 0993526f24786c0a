import { execFileSync } from 'node:child_process';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** The limits of a start. */
export interface StartLimits {
  /** On the scale of performance.now(). */
  readonly deadline: number;
  /** Aborts when the start is canceled. */
  readonly signal: AbortSignal;
}

/**
 * Waits until only this process may create or start the cluster. Resolves to the function that releases the lock. The
 * lock of a dead process is taken over. If two processes take it over at once, no data is lost: a cluster is created by
 * one rename, and Postgres refuses a second server on a directory.
 * @throws Error with the path of the lock file when the deadline passes; AbortError when the signal aborts
 */
export async function takeStartLock(path: string, { deadline, signal }: StartLimits): Promise<() => void> {
  const mine = identity(process.pid);
  for (;;) {
    if (createLock(path, `${mine}`)) return () => rmSync(path, { force: true });
    const holder = readOrEmpty(path);
    if (holder !== '' && holder !== identity(Number.parseInt(holder, 10))) rmSync(path, { force: true });
    else if (performance.now() > deadline)
      throw new Error(`Another process is still starting Postgres (${path}).`);
    else await pause(20, undefined, { signal });
  }
}

/** Creates the lock as a link to a complete file, so that no process reads a lock without its owner. */
function createLock(path: string, holder: string): boolean {
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, holder);
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/**
 * `pid start-time` of a running process; undefined if it does not run. Containers often reuse small pids, so on Linux
 * the start time (field 22 of proc(5) stat) is added.
 */
function identity(pid: number): string | undefined {
  if (process.platform === 'linux') {
    const stat = readOrEmpty(`/proc/${pid}/stat`);
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' '); // from field 3, the state
    return stat === '' || fields[0] === 'Z' ? undefined : `${pid} ${fields[19]}`;
  }
  try {
    process.kill(pid, 0);
    return `${pid}`;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' ? `${pid}` : undefined;
  }
}

/** The command line of a process; empty if there is no process with this pid. */
export function commandLine(pid: number): string {
  if (process.platform === 'linux') return readOrEmpty(`/proc/${pid}/cmdline`);
  try {
    return execFileSync('ps', ['-o', 'command=', '-p', `${pid}`], { encoding: 'utf8' });
  } catch {
    return '';
  }
}

/** The text of a small file; empty if it cannot be read. */
export function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
