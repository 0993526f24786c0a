import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { killWithParent } from '../../support/processes/kill-with-parent.ts';

const ROOT = join(import.meta.dirname, '../../..');
const COMPILE_CACHE = join(ROOT, 'node_modules/.cache/node');
/** A process that cannot start, for example because the database is down, is not started again at once. */
const RESTART_PAUSE_MS = 100;

/** A program that is started again whenever it ends, as an init system does. */
export class RestartingProcess {
  readonly #script: string;
  readonly #env: Readonly<Record<string, string>>;
  readonly #log: number;
  readonly #stopping = new AbortController();
  readonly #running: Promise<void>;
  #child: ChildProcess | undefined;

  /** `script` is a path in the project. Errors of the process go to the file descriptor `log`. */
  constructor(script: string, env: Readonly<Record<string, string>>, log: number) {
    this.#script = join(ROOT, script);
    this.#env = env;
    this.#log = log;
    this.#running = this.#run();
  }

  /** Sends SIGKILL. Returns false while it does not run. */
  kill(): boolean {
    return this.#child?.kill('SIGKILL') ?? false;
  }

  /** Kills it for good. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.kill();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const child = spawn(process.execPath, [this.#script], {
        stdio: ['ignore', 'ignore', this.#log],
        env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: COMPILE_CACHE, ...this.#env },
      });
      this.#child = killWithParent(child);
      await once(child, 'exit');
      this.#child = undefined;
      await pause(RESTART_PAUSE_MS, undefined, { signal }).catch(() => {});
    }
  }
}
