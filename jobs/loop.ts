import type { Log } from '../services/deps.ts';

/** A background job. `runOnce` does the work that is due and returns how much it did. */
export interface Job {
  readonly name: string;
  /** Pause after a run that did nothing. After other runs the next one starts at once. */
  readonly interval_ms: number;
  runOnce(): Promise<number>;
  /** Waits until the work that runs have started has ended. */
  stop?(): Promise<void>;
}

export interface RunningJob {
  /** Waits until the current run, and the work that runs have started, have ended. */
  stop(): Promise<void>;
}

/** Pause after a failure, doubled up to a maximum, so that an unreachable database is not tried in a tight loop. */
const FAILURE_PAUSE_MS = 500;
const MAX_FAILURE_PAUSE_MS = 10_000;

/** Runs a job until it is stopped. A failure is logged and the job continues. */
export function startJob(job: Job, log: Log): RunningJob {
  const stopping = new AbortController();
  let failures = 0;

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      let pause_ms = job.interval_ms;
      try {
        const done = await job.runOnce();
        failures = 0;
        if (done > 0) pause_ms = 0;
      } catch (error) {
        failures += 1;
        pause_ms = Math.min(FAILURE_PAUSE_MS * 2 ** (failures - 1), MAX_FAILURE_PAUSE_MS);
        log.error({ job: job.name, err: error }, 'job failed');
      }
      await pause(pause_ms, stopping.signal);
    }
  }

  const running = run();
  return {
    stop: async () => {
      stopping.abort();
      await Promise.all([running, job.stop?.()]);
    },
  };
}

function pause(duration_ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
      return;
    }
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, duration_ms);
    signal.addEventListener('abort', done);
  });
}
