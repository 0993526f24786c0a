import { Counts } from '../counts.ts';
import { Refusal } from '../refusal.ts';

/** The maximum of one merchant (contract row 13.22). */
const MAX_PER_MERCHANT = 10;
/** The maximum of all merchants. Each request holds a ticket of admission control, so others must be left. */
const MAX_IN_ALL = 64;
const RETRY_AFTER_S = 1;

/** The long polls of this process: requests that wait for new events. */
export class LongPolls {
  readonly #running = new Counts();
  readonly #stopping = new AbortController();

  /**
   * Runs `poll` with a signal that is aborted when the service stops. Does nothing if the process has too many long
   * polls: the caller then answers at once. Refusal: `too_many_waits` of the merchant.
   */
  async run(merchantId: string, poll: (stopping: AbortSignal) => Promise<void>): Promise<void> {
    if (this.#running.of(merchantId) >= MAX_PER_MERCHANT) {
      throw new Refusal('too_many_waits', {
        message: `At most ${MAX_PER_MERCHANT} requests can wait for events at the same time.`,
        retryAfter_s: RETRY_AFTER_S,
      });
    }
    if (this.#running.total >= MAX_IN_ALL) return;
    this.#running.add(merchantId, 1);
    try {
      await poll(this.#stopping.signal);
    } finally {
      this.#running.add(merchantId, -1);
    }
  }

  /** Ends all long polls. */
  stop(): void {
    this.#stopping.abort();
  }
}
