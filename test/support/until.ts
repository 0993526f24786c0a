import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';

const POLL_MS = 10;

/** Waits until `condition` holds; fails with `what` in the message when it does not within `timeout_ms`. */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  timeout_ms = 10_000,
): Promise<void> {
  const deadline = performance.now() + timeout_ms;
  while (!(await condition())) {
    assert.ok(performance.now() < deadline, `not within ${timeout_ms} ms: ${what}`);
    await pause(POLL_MS);
  }
}
