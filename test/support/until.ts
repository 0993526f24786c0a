import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';

const POLL_MS = 10;

/**
 * Waits until `condition` holds. Fails with `what` in the message when it does not within `timeout_ms`, also when the
 * condition never resolves.
 */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  timeout_ms = 90_000,
): Promise<void> {
  const held = new AbortController();
  const late = pause(timeout_ms, undefined, { signal: held.signal }).then(() =>
    assert.fail(`not within ${timeout_ms} ms: ${what}`),
  );
  late.catch(() => {}); // reported by the race
  try {
    while (!(await Promise.race([condition(), late]))) await Promise.race([pause(POLL_MS), late]);
  } finally {
    held.abort();
  }
}
