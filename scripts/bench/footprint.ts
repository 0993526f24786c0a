import { setTimeout as pause } from 'node:timers/promises';
import { memory_MiB } from './measure.ts';
import { median, type Pace } from './pace.ts';
import type { BenchSetup } from './setup.ts';

export interface Footprint {
  /** From the start of the process to its first answer, while the database runs. */
  readonly start_ms: number;
  readonly idle_MiB: number | null;
  readonly busy_MiB: number | null;
}

const IDLE_S = 5;

/** Starts the service several times. Measures the time to the first answer and the memory without requests. */
export async function startAndIdle(setup: BenchSetup, pace: Pace): Promise<Omit<Footprint, 'busy_MiB'>> {
  const starts: number[] = [];
  const idle: (number | null)[] = [];
  for (let turn = 0; turn < pace.starts; turn += 1) {
    const began = performance.now();
    const service = await setup.startService();
    const answer = await fetch(`${service.url}/healthz`);
    starts.push(performance.now() - began);
    if (!answer.ok) throw new Error(`The service answered ${answer.status} to its first request.`);
    if (turn === 0) await pause(Math.min(IDLE_S, pace.round_s * 2) * 1000);
    idle.push(memory_MiB(service));
    await service.stop();
  }
  return { start_ms: median(starts), idle_MiB: idle[0] ?? null };
}

/** Watches the memory of the service. `stop` returns the maximum. */
export function watchMemory(setup: BenchSetup): { stop(): number | null } {
  let most: number | null = null;
  const look = () => {
    const now = memory_MiB(setup.service);
    if (now !== null) most = Math.max(most ?? 0, now);
  };
  const timer = setInterval(look, 200);
  return {
    stop() {
      clearInterval(timer);
      look();
      return most;
    },
  };
}
