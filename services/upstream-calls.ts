import { AsyncLocalStorage } from 'node:async_hooks';
import type { Acquirer } from '../gateway/acquirer.ts';
import { Counts } from './counts.ts';

/**
 * Counts the upstream calls in flight, by tenant, which is a merchant or a checkout page: calls to other systems (the
 * acquirer, a name server) for which requests wait. A request that waits for one uses no processor time, so admission
 * control lets another request run in its place. The acquirer calls of background jobs count too; there are few of them
 * at a time.
 */
export class UpstreamCalls {
  readonly #calls = new Counts();
  readonly #tenant = new AsyncLocalStorage<string>();
  #onBegin = () => {};

  /** Sets the listener that is called when a call begins. */
  onBegin(listener: () => void): void {
    this.#onBegin = listener;
  }

  /** Number of calls in flight, of one tenant or of all. */
  inFlight(tenant?: string): number {
    return tenant === undefined ? this.#calls.total : this.#calls.of(tenant);
  }

  /** Runs `work`, and counts its calls for `tenant` and not for the merchant. */
  attribute<R>(tenant: string, work: () => R): R {
    return this.#tenant.run(tenant, work);
  }

  /** Counts `call` as in flight until it settles, and returns its result. */
  async track<R>(merchantId: string, call: Promise<R>): Promise<R> {
    const tenant = this.#tenant.getStore() ?? merchantId;
    this.#calls.add(tenant, 1);
    this.#onBegin();
    try {
      return await call;
    } finally {
      this.#calls.add(tenant, -1);
    }
  }

  /** Returns an acquirer whose calls are tracked. */
  trackAcquirer(acquirer: Acquirer): Acquirer {
    return {
      isConfigured: acquirer.isConfigured,
      perform: (command) => this.track(command.account, acquirer.perform(command)),
      inquire: (inquiry) => this.track(inquiry.account, acquirer.inquire(inquiry)),
      inquireEvidence: (inquiry) => this.track(inquiry.account, acquirer.inquireEvidence(inquiry)),
    };
  }
}
