import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { ROOT } from './places.ts';

export interface CommandEnd {
  /** Null when the command was stopped or timed out. */
  readonly status: number | null;
  readonly output: string;
  readonly errors: string;
}

/** Runs a shell command in the root of the project. On a time-out or an abort, it is killed with all its processes. */
export async function runCommand(
  command: string,
  env: Readonly<Record<string, string>>,
  timeout_ms: number,
  signal: AbortSignal,
): Promise<CommandEnd> {
  // Its own process group, to kill the processes that the shell starts, too.
  const child = spawn('sh', ['-c', command], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const ended = AbortSignal.any([signal, AbortSignal.timeout(timeout_ms)]);
  const end = () => {
    const isAlive = child.pid !== undefined && child.exitCode === null && child.signalCode === null;
    if (isAlive) process.kill(-child.pid!, 'SIGKILL');
  };
  ended.addEventListener('abort', end);
  if (ended.aborted) end();
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [output, errors, status] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
  ended.removeEventListener('abort', end);
  return { status, output, errors };
}
