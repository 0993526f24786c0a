import { setTimeout as pause } from 'node:timers/promises';
import { CannotMigrate } from './migrate.ts';
import { DatabaseUnavailable, isRetryable, isUnavailable } from './unavailable.ts';

/**
 * How long a start retries one step. When a backend is killed, Postgres ends all others and recovers, which takes seconds.
 * A failover takes about 20 s.
 */
const LIMIT_MS = 30_000;
const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 2_000;

/** Runs one step of a start, again while the database is not available. A step may run more than once. */
export type RetryStep = <R>(step: () => Promise<R>) => Promise<R>;

/**
 * Makes the function that runs the steps of one start. A database that has never answered and cannot be reached is not
 * retried: the address is probably wrong, and the first error says so at once.
 * @param options.onRetry receives why a step is retried
 * @param options.signal ends the waiting
 * @param options.limit_ms how long one step is retried
 * @throws the error of the step; one sentence when the time is over; AbortError when the signal aborts
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
  if (error instanceof CannotMigrate) return error.reason;
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
