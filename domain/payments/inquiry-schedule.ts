const FIRST_PAUSE_MS = 1_000;
/** What is known within a minute of the acquirer's return, however long it was away, is asked about this often. */
const MAX_PAUSE_MS = 20_000;
/** A refund may take days, and its result comes by notification: asking is the second net. */
const REFUND_PAUSE_MS = 60 * 60_000;

/**
 * How long an open operation waits (wall time, ms) until the acquirer is asked about it again.
 * @param answer `working`: the acquirer has the operation and is working on it; `unknown`: nobody knows that
 * @param attempts how often it was asked about
 */
export function inquiryPause_ms(
  answer: 'working' | 'unknown',
  { isRefund, attempts }: { readonly isRefund: boolean; readonly attempts: number },
): number {
  if (answer === 'working') return isRefund ? REFUND_PAUSE_MS : MAX_PAUSE_MS;
  // Bounded before it is raised: the attempts of a long outage are many.
  return Math.min(FIRST_PAUSE_MS * 2 ** Math.min(attempts, 10), MAX_PAUSE_MS);
}
