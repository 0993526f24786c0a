import type { Acquirer } from '../gateway/acquirer.ts';
import { Counts } from './counts.ts';

/**
 * The upstream calls in flight, by merchant: what requests that run wait for outside this process (the acquirer, a name
 * server). Such a request costs nothing meanwhile, so admission control lets another one run in its place. The acquirer
 * calls of background jobs count too; there are few of them at a time.
 */
export class UpstreamCalls {
  readonly #calls = new Counts();
  #onBegin = () => {};

  /** Sets the listener that is called when a call begins. */
  onBegin(listener: () => void): void {
    this.#onBegin = listener;
  }

  /** Number of calls in flight, of one merchant or of all. */
  inFlight(merchantId?: string): number {
    return merchantId === undefined ? this.#calls.total : this.#calls.of(merchantId);
  }

  /** Counts `call` as in flight until it settles, and returns its result. */
  async track<R>(merchantId: string, call: Promise<R>): Promise<R> {
    this.#calls.add(merchantId, 1);
    this.#onBegin();
    try {
      return await call;
    } finally {
      this.#calls.add(merchantId, -1);
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
}
