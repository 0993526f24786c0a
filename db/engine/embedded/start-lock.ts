import { execFileSync } from 'node:child_process';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** How long a start may wait. */
export interface Patience {
  /** On the scale of performance.now(). */
  readonly deadline: number;
  /** Aborts when the start is not wanted any more. */
  readonly signal: AbortSignal;
}

/**
 * Waits until this process alone may create or start the cluster; answers the function that gives the lock back.
 * The lock of a dead process is taken over. Should two ever take over at once, no data is at stake: a cluster
 * appears by one rename, and Postgres itself refuses a second server on a directory.
 * @throws Error that names the lock file when the deadline passes; AbortError when the signal aborts
 */
export async function takeStartLock(path: string, { deadline, signal }: Patience): Promise<() => void> {
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

/** Links a complete file to the name, so that no reader meets a lock without its holder. */
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
 * `pid start-time` of a living process, undefined of a dead one. Containers hand out the same small pids again
 * and again, so where the kernel tells (field 22 of proc(5) stat) the start time is part of who a process is.
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

/** The command line of a process, empty when there is none with this pid. */
export function commandLine(pid: number): string {
  if (process.platform === 'linux') return readOrEmpty(`/proc/${pid}/cmdline`);
  try {
    return execFileSync('ps', ['-o', 'command=', '-p', `${pid}`], { encoding: 'utf8' });
  } catch {
    return '';
  }
}

/** The text of a small file, empty when it cannot be read. */
export function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
