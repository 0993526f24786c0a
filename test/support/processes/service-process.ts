import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { environmentOf, type TestService } from '../service.ts';
import { killWithParent } from './kill-with-parent.ts';

/** A service in a separate process that can be killed, on the database of another service. */
export interface ServiceProcess {
  readonly url: string;
  readonly child: ChildProcess;
  /** Resolves to the exit code and the signal that ended it. */
  readonly ended: Promise<readonly unknown[]>;
  /** Sends SIGKILL. Resolves when the process is gone. */
  kill(): Promise<void>;
}

export interface ServiceProcessOptions {
  /** Whether background jobs run. Default: false. */
  readonly jobs?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  /** A program in test/support that starts the service in a special way. Default: main.ts. */
  readonly program?: string;
}

const ROOT = join(import.meta.dirname, '../../..');
/** Most of a start is the loading of modules, which the flag in scripts/test/files.ts also shortens. */
const COMPILE_CACHE = join(ROOT, 'node_modules/.cache/node');

/** Starts it. Resolves when it listens. */
export async function startServiceProcess(
  beside: TestService,
  { jobs = false, env = {}, program }: ServiceProcessOptions = {},
): Promise<ServiceProcess> {
  const script = program === undefined ? join(ROOT, 'main.ts') : join(import.meta.dirname, program);
  const child = spawn(process.execPath, ['--min-semi-space-size=16', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...environmentOf(beside),
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: COMPILE_CACHE,
      ROLE: jobs ? 'all' : 'api',
      LOG_LEVEL: 'silent',
      ...env,
    },
  });
  killWithParent(child);
  const ended = once(child, 'exit');
  let url: string | undefined;
  for await (const line of createInterface(child.stdout)) {
    url = /API\s+(http:\/\/[^/\s]+)/.exec(line)?.[1];
    if (url !== undefined) break;
  }
  assert.ok(url, 'the process ended before it listened');
  return {
    url,
    child,
    ended,
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
