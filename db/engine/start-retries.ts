import { setTimeout as pause } from 'node:timers/promises';
import { MigrationError } from './migrate.ts';
import { DatabaseUnavailable, isRetryable, isUnavailable } from './unavailable.ts';

/**
 * How long a step is retried. When a backend is killed, Postgres ends all others and recovers, which takes seconds. A
 * failover takes about 20 s.
 */
const LIMIT_MS = 30_000;
const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 2_000;

/** Runs one step of a start, and retries it while the database is not available. */
export type RetryStep = <R>(step: () => Promise<R>) => Promise<R>;

/**
 * Returns the function that runs the steps of one start. A database that cannot be reached and has never answered is
 * not retried: the address is probably wrong.
 * @param options.onRetry receives why a step is retried
 * @param options.signal cancels the retries
 * @param options.limit_ms how long one step is retried
 * @throws the error of the step; an error with one sentence after the time limit; AbortError when the signal aborts
 */
export function startRetries(options: {
  onRetry?(reason: string): void;
  signal?: AbortSignal;
  limit_ms?: number;
}): RetryStep {
  const { onRetry = () => {}, signal, limit_ms = LIMIT_MS } = options;
  let hasAnswered = false;

  return async (step) => {
    const deadline = performance.now() + limit_ms;
    for (let pause_ms = FIRST_PAUSE_MS; ; pause_ms = Math.min(2 * pause_ms, MAX_PAUSE_MS)) {
      try {
        const result = await step();
        hasAnswered = true;
        return result;
      } catch (error) {
        const cause = databaseError(error);
        if (!isTemporary(cause) || (!hasAnswered && isUnreachable(cause))) throw error;
        hasAnswered = true;
        const reason = (cause as Error).message;
        if (performance.now() > deadline) {
          throw new Error(
            `The database (DATABASE_URL) was not available for ${limit_ms / 1_000} seconds: ${reason}.`,
          );
        }
        onRetry(reason);
        await pause(pause_ms, undefined, { signal });
      }
    }
  };
}

/** The error of the database or the socket. */
function databaseError(error: unknown): unknown {
  if (error instanceof MigrationError) return error.reason;
  return error instanceof DatabaseUnavailable ? error.cause : error;
}

function isTemporary(error: unknown): boolean {
  return isUnavailable(error) || isRetryable(error);
}

function isUnreachable(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message: string };
  return (
    /^(ECONNREFUSED|ENOENT|ENOTFOUND|EAI_AGAIN|ETIMEDOUT)$/.test(`${code}`) || /timeout expired/.test(message)
  );
}
