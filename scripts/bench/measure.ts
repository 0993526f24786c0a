import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Job, Tally } from './scenarios.ts';
import type { Actor } from './stage.ts';

/** The load generator, and what the process it loads used meanwhile. */
export class Loader {
  readonly #child: ChildProcess = fork(join(import.meta.dirname, 'load.ts'));

  async run(job: Job): Promise<Tally> {
    this.#child.send(job);
    const [tally] = await once(this.#child, 'message');
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

/** Processor time that a process has used so far, milliseconds; null where there is no /proc. */
export function processorTime_ms({ pid }: Actor): number | null {
  const fields = readProc(pid, 'stat')?.split(') ')[1]?.split(' ');
  return fields === undefined ? null : (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/** Resident memory of a process, MiB; null where there is no /proc. */
export function memory_MiB({ pid }: Actor): number | null {
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
