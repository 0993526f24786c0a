import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { MeasuredProcess } from './processes.ts';
import type { Job, Tally } from './scenarios.ts';

/** Runs jobs of the load generator. */
export class Loader {
  readonly #child: ChildProcess = fork(join(import.meta.dirname, 'load.ts'));
  readonly #gone = new AbortController();

  constructor() {
    this.#child.once('exit', () => this.#gone.abort(new Error('The load generator has ended.')));
  }

  async run(job: Job): Promise<Tally> {
    const answer = once(this.#child, 'message', { signal: this.#gone.signal });
    this.#child.send(job);
    const [tally] = await answer;
    return tally as Tally;
  }

  async stop(): Promise<void> {
    const gone = once(this.#child, 'exit');
    this.#child.kill();
    await gone;
  }
}

/** A clock tick of /proc, in milliseconds; the same on every Linux that Node runs on. */
const TICK_MS = 10;

/** Processor time that a process has used so far, milliseconds; null without /proc. */
export function processorTime_ms({ pid }: MeasuredProcess): number | null {
  const fields = readProc(pid, 'stat')?.split(') ')[1]?.split(' ');
  return fields === undefined ? null : (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

const POLL_INTERVAL_MS = 200;
/** The most processor time that an idle process uses between two measurements. */
const IDLE_MS = 2 * TICK_MS;

/** Resolves when the process is idle. */
export async function settle(measured: MeasuredProcess): Promise<void> {
  for (let before = processorTime_ms(measured); ; ) {
    await pause(POLL_INTERVAL_MS);
    const now = processorTime_ms(measured);
    if (now === null || now - before! <= IDLE_MS) return;
    before = now;
  }
}

/** Resident memory of a process, MiB; null without /proc. */
export function memory_MiB({ pid }: MeasuredProcess): number | null {
  const kB = /VmRSS:\s+(\d+)/.exec(readProc(pid, 'status') ?? '')?.[1];
  return kB === undefined ? null : Number(kB) / 1024;
}

function readProc(pid: number, file: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return null;
  }
}
