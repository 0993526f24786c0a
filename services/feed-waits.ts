import { Counts } from './counts.ts';
import { Refusal } from './refusal.ts';

/** Requests of a merchant that wait for events (contract row 13.22). */
const MAX_PER_MERCHANT = 10;
/** Of all merchants. Each holds a ticket of admission control, so others must be left. */
const MAX_IN_ALL = 64;
const RETRY_AFTER_S = 1;

/** The requests of this process that wait for events. */
export class FeedWaits {
  readonly #waiting = new Counts();
  readonly #stopping = new AbortController();

  /**
   * Runs `wait` with a signal that is aborted when the service stops. Refusal: `too_many_waits` of the merchant. Returns false,
   * without a wait, when the process has too many.
   */
  async run(merchantId: string, wait: (signal: AbortSignal) => Promise<void>): Promise<boolean> {
    if (this.#waiting.of(merchantId) >= MAX_PER_MERCHANT) {
      throw new Refusal('too_many_waits', {
        message: `At most ${MAX_PER_MERCHANT} requests can wait for events at the same time.`,
        retryAfter_s: RETRY_AFTER_S,
      });
    }
    if (this.#waiting.total >= MAX_IN_ALL) return false;
    this.#waiting.add(merchantId, 1);
    try {
      await wait(this.#stopping.signal);
      return true;
    } finally {
      this.#waiting.add(merchantId, -1);
    }
  }

  /** Ends all waits. */
  stop(): void {
    this.#stopping.abort();
  }
}
