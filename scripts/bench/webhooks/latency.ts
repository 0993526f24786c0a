import { setTimeout as pause } from 'node:timers/promises';
import { addEvents, untilDelivered } from './events.ts';
import type { WebhookPace } from './pace.ts';
import { TIMED, type WebhookSetup } from './setup.ts';

/** From the change of a payment to the arrival of its event. */
export interface Latency {
  readonly p50_ms: number;
  readonly p99_ms: number;
}

const EVENTS = 200;
/** How often a worker looks for new events. */
const INTERVAL_MS = 500;

/** Adds events one after another while a worker has nothing else to do. */
export async function eventLatency(setup: WebhookSetup, pace: WebhookPace): Promise<Latency> {
  const worker = await setup.startWorker();
  try {
    await untilDelivered(setup);
    await setup.sink.forget();
    for (let i = 0; i < Math.min(EVENTS, pace.today / 10); i += 1) {
      // The pause is random, because payments change at any time between two polls of the worker.
      await pause(Math.random() * INTERVAL_MS);
      await addEvents(setup, TIMED, 1);
      await untilDelivered(setup);
    }
    const { latencies_ms } = await setup.sink.counts();
    const sorted = latencies_ms.toSorted((a, b) => a - b);
    const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]!;
    return { p50_ms: at(0.5), p99_ms: at(0.99) };
  } finally {
    await worker.stop();
  }
}
