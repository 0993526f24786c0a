import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { startEmbeddedPostgres } from '../../db/engine/embedded-postgres.ts';
import { ROOT } from '../clients/places.ts';

/** A process that is measured, or that takes part in the measurement. */
export interface MeasuredProcess {
  /** Origin such as `http://127.0.0.1:41234`. */
  readonly url: string;
  readonly pid: number;
  /** From the start of the process to the line with its address, in milliseconds. */
  readonly started_ms: number;
  stop(): Promise<void>;
}

/** What all processes share: one Postgres with the settings of production (fsync on), and secrets. */
export interface BenchEnvironment {
  readonly databaseUrl: string;
  readonly env: Env;
  /** Starts a script of the project. Resolves when it has printed its address. */
  start(
    script: string,
    options?: { readonly env?: Env; readonly flags?: readonly string[] },
  ): Promise<MeasuredProcess>;
  /** Stops all processes and the database. */
  stop(): Promise<void>;
}

type Env = Readonly<Record<string, string>>;

/** The flags of `make start`. All processes get them. */
export const NODE_FLAGS = [
  '--max-semi-space-size=16',
  '--max-old-space-size=512',
  '--no-allocation-site-pretenuring',
  '--expose-gc',
];

const running = new Set<ChildProcess>();
// A bench that fails leaves no process behind, which would disturb the next one.
process.once('exit', () => {
  for (const child of running) child.kill();
});

/** Creates an empty environment in this folder of `.data`. The previous one is removed. */
export async function createEnvironment(folder: string): Promise<BenchEnvironment> {
  const dataDir = join(ROOT, '.data', folder);
  rmSync(dataDir, { recursive: true, force: true });
  mkdirSync(dataDir, { recursive: true });
  const postgres = await startEmbeddedPostgres({ dataDir });
  const env: Record<string, string> = {
    PATH: process.env.PATH ?? '',
    NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/node'),
    MALLOC_ARENA_MAX: '1',
    DATABASE_URL: postgres.url,
    DATA_DIR: dataDir,
    VAULT_KEYS: randomBytes(32).toString('base64'),
    KEY_PEPPER: randomBytes(32).toString('hex'),
    ACQUIRER_SECRET: randomBytes(32).toString('hex'),
    // The receivers of webhooks are on this machine.
    ALLOW_PRIVATE_DESTINATIONS: 'true',
  };
  const processes: MeasuredProcess[] = [];
  return {
    databaseUrl: postgres.url,
    env,
    async start(script, { env: more = {}, flags = [] } = {}) {
      const log = join(dataDir, `${script.replaceAll('/', '-')}.log`);
      const started = await startProcess(
        join(ROOT, script),
        [...NODE_FLAGS, ...flags],
        { ...env, ...more },
        log,
      );
      processes.push(started);
      return started;
    },
    async stop() {
      await Promise.all(processes.map((started) => started.stop()));
      await postgres.stop();
    },
  };
}

async function startProcess(
  path: string,
  flags: readonly string[],
  env: Env,
  log: string,
): Promise<MeasuredProcess> {
  const began = performance.now();
  const child = spawn(process.execPath, [...flags, path], {
    env,
    stdio: ['ignore', 'pipe', openSync(log, 'a')],
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  const url = await addressOf(child, log);
  return {
    url,
    pid: child.pid!,
    started_ms: performance.now() - began,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
    },
  };
}

async function addressOf(child: ChildProcess, log: string): Promise<string> {
  const lines = createInterface(child.stdout!);
  for await (const line of lines) {
    const url = /(http:\/\/[\d.:]+)/.exec(line)?.[1];
    if (url !== undefined) {
      child.stdout!.resume();
      return url;
    }
  }
  throw new Error(`${child.spawnargs.join(' ')} ended before it printed its address: see ${log}`);
}
