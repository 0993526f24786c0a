import { HOUR_MS, MINUTE_MS } from '../durations.ts';

const FIRST_PAUSE_MS = MINUTE_MS;
const MAX_PAUSE_MS = HOUR_MS;

/**
 * How long to wait before a command that the acquirer has never received is sent again (merchant's time, ms). The first
 * time it is sent again at once, because a process may have died. Then the acquirer refuses commands, and the pause
 * doubles.
 * @param unsent how many commands for the same purpose were never received
 */
export function pauseAfterUnsent_ms(unsent: number): number {
  if (unsent <= 1) return 0;
  return Math.min(FIRST_PAUSE_MS * 2 ** Math.min(unsent - 2, 10), MAX_PAUSE_MS);
}
