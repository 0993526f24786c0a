import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../durations.ts';

/** Pauses after each failed attempt (contract row 9.4). */
export const RETRIES_MS: readonly number[] = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
];

/** When the next attempt is due after the failed attempt number `step` (1, 2, …); null after the last one. */
export function nextAttemptAt(
  step: number,
  failedAt: Date,
  retries_ms: readonly number[] = RETRIES_MS,
): Date | null {
  const pause_ms = retries_ms[step - 1];
  return pause_ms === undefined ? null : new Date(failedAt.getTime() + pause_ms);
}

/**
 * How long a queue pauses after a failed run: as after a first attempt, but never longer than by default. A schedule of
 * a merchant can begin with days, for which its other deliveries must not wait.
 */
export function queuePause_ms(retries_ms: readonly number[] = RETRIES_MS): number {
  return Math.min(retries_ms[0] ?? 0, RETRIES_MS[0]!);
}
