import type { Acquirer } from '../gateway/acquirer.ts';

/**
 * The upstream calls in flight, by merchant: what a request waits for outside this process (the acquirer, a name server,
 * its own client). Such a request costs nothing meanwhile, so admission control lets another one run in its place. Calls
 * of background jobs count too; there are few of them at a time.
 */
export class UpstreamCalls {
  readonly #inFlight = new Map<string, number>();
  #total = 0;
  #onBegin = () => {};

  /** Sets the listener that is called when a call begins. */
  onBegin(listener: () => void): void {
    this.#onBegin = listener;
  }

  /** Number of calls in flight, of one merchant or of all. */
  inFlight(merchantId?: string): number {
    return merchantId === undefined ? this.#total : (this.#inFlight.get(merchantId) ?? 0);
  }

  /** Counts `call` as in flight until it settles, and returns its result. */
  async track<R>(merchantId: string, call: Promise<R>): Promise<R> {
    this.#count(merchantId, 1);
    this.#onBegin();
    try {
      return await call;
    } finally {
      this.#count(merchantId, -1);
    }
  }

  /** Returns an acquirer whose calls are tracked. */
  trackAcquirer(acquirer: Acquirer): Acquirer {
    return {
      isConfigured: acquirer.isConfigured,
      perform: (command) => this.track(command.account, acquirer.perform(command)),
      inquire: (inquiry) => this.track(inquiry.account, acquirer.inquire(inquiry)),
    };
  }

  #count(merchantId: string, change: 1 | -1): void {
    this.#total += change;
    const count = this.inFlight(merchantId) + change;
    if (count === 0) this.#inFlight.delete(merchantId);
    else this.#inFlight.set(merchantId, count);
  }
}
