import { HOUR_MS } from '../durations.ts';

const FIRST_PAUSE_MS = 1_000;
/** After an outage of the acquirer, however long, every outcome is known within a minute. */
const MAX_PAUSE_MS = 20_000;
/** A refund may take days, and a notification reports its result. Inquiries are the fallback. */
const REFUND_PAUSE_MS = HOUR_MS;

/**
 * How long to wait until the acquirer is asked about an open operation again (wall time, ms).
 * @param answer `working`: the acquirer is working on the operation; `unknown`: the acquirer gave no answer
 * @param attempts how often the acquirer was asked about it
 */
export function inquiryPause_ms(
  answer: 'working' | 'unknown',
  { isRefund, attempts }: { readonly isRefund: boolean; readonly attempts: number },
): number {
  if (answer === 'working') return isRefund ? REFUND_PAUSE_MS : MAX_PAUSE_MS;
  // The exponent is bounded: a long outage has many attempts.
  return Math.min(FIRST_PAUSE_MS * 2 ** Math.min(attempts, 10), MAX_PAUSE_MS);
}
