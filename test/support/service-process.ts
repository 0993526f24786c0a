import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { dieWithUs } from './die-with-us.ts';
import type { MoneyService } from './money-service.ts';

/** The service in a process of its own, on the database of another: one that can be killed. */
export interface ServiceProcess {
  readonly url: string;
  /** SIGKILL; resolves when it is gone. */
  kill(): Promise<void>;
}

const MAIN = join(import.meta.dirname, '../../main.ts');

/** Starts it without background jobs, unless `env` says otherwise. */
export async function startServiceProcess(
  beside: MoneyService,
  env: Readonly<Record<string, string>> = {},
): Promise<ServiceProcess> {
  const environment = {
    PATH: process.env.PATH,
    PORT: '0',
    INTERNAL_PORT: '0',
    DATABASE_URL: beside.databaseUrl,
    DATA_DIR: beside.dataDir,
    ROLE: 'api',
    LOG_LEVEL: 'silent',
    ...env,
  };
  const child = dieWithUs(
    spawn(process.execPath, [MAIN], { stdio: ['ignore', 'pipe', 'inherit'], env: environment }),
  );
  const gone = once(child, 'exit');
  let url: string | undefined;
  for await (const line of createInterface(child.stdout)) {
    url = /API\s+(http:\/\/[^/\s]+)/.exec(line)?.[1];
    if (url !== undefined) break;
  }
  assert.ok(url, 'the process ended before it listened');
  return {
    url,
    kill: async () => {
      child.kill('SIGKILL');
      await gone;
    },
  };
}
