import { type ChildProcess, spawn } from 'node:child_process';

/** Kills the process or group of its argument when its stdin ends: when the process at the other end has ended. */
const WATCHER = 'read -r _; kill -KILL "$1"';

export interface KillWithParentOptions {
  /** Whether the child leads a group (`detached`), all of which is then killed. Default: false. */
  readonly group?: boolean;
}

/**
 * Returns the child, and makes sure that it is killed (SIGKILL) when this process ends before it: after a failed test,
 * or when this process is terminated or killed and cannot do it itself.
 */
export function killWithParent<Child extends ChildProcess>(
  child: Child,
  { group = false }: KillWithParentOptions = {},
): Child {
  if (child.pid === undefined) return child;
  const target = group ? -child.pid : child.pid;
  // By its path, as some tests empty PATH. In a session of its own, so that Ctrl-C does not end it first.
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

/** Sends a signal to the group of a child, also when the child itself has ended. Does nothing when all have. */
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
