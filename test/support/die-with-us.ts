import { type ChildProcess, spawn } from 'node:child_process';

/** Kills what its argument names when its stdin ends, which is when the process that holds the other end has ended. */
const WATCHER = 'read -r _; kill -KILL "$1"';

export interface DieWithUsOptions {
  /** Whether the child leads a group of its own (`detached`), which is then killed as a whole. Default: false. */
  readonly group?: boolean;
}

/**
 * Returns the child, and has it killed (SIGKILL) when this process ends while it still runs: after a failed test, and also
 * when this process is terminated or killed, in which case it cannot do so itself.
 */
export function dieWithUs<Child extends ChildProcess>(
  child: Child,
  { group = false }: DieWithUsOptions = {},
): Child {
  if (child.pid === undefined) return child;
  const target = group ? -child.pid : child.pid;
  // By its path, as some tests empty PATH. In a session of its own, so that Ctrl-C does not end it before its work is done.
  const watcher = spawn('/bin/sh', ['-c', WATCHER, 'sh', `${target}`], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  watcher.unref();
  child.once('exit', () => {
    if (!group || !isThere(target)) watcher.kill('SIGKILL');
  });
  return child;
}

/** Sends a signal to the group that a child leads, even when the child itself has ended; nothing when all have. */
export function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid !== undefined && isThere(-pid)) process.kill(-pid, signal);
}

function isThere(target: number): boolean {
  try {
    return process.kill(target, 0);
  } catch {
    return false;
  }
}
