import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { ROOT } from './places.ts';

export interface CommandEnd {
  /** Null where it was ended from outside, or took too long. */
  readonly status: number | null;
  readonly output: string;
  readonly errors: string;
}

/** Runs a command of a shell at the root of the project. What it started ends with it when time is up or `signal` says so. */
export async function runCommand(
  command: string,
  env: Readonly<Record<string, string>>,
  timeout_ms: number,
  signal: AbortSignal,
): Promise<CommandEnd> {
  // A group of its own, so that what the shell has started can be ended too.
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
