import { DatabaseUnavailable } from './unavailable.ts';

/** The part of the connections that one merchant may hold, and one at least. */
const QUOTA = 3 / 4;

/** Ends a wait: with a connection, or with the reason why there is none. */
type Settle = (failure?: string) => void;

/**
 * Bounds the connections that each merchant holds. A statement that waits for a lock keeps its connection for ten seconds:
 * without a quota, eight of them, all of one merchant, had the requests of every other merchant refused.
 */
export class ConnectionQuota {
  readonly #perMerchant: number;
  readonly #timeout_ms: number;
  readonly #held = new Map<string, number>();
  /** Of merchants that hold all that they may. */
  readonly #queues = new Map<string, Set<Settle>>();

  /** Of so many connections. One that is not free after `timeout_ms` fails. */
  constructor(connections: number, timeout_ms: number) {
    this.#perMerchant = Math.max(1, Math.floor(connections * QUOTA));
    this.#timeout_ms = timeout_ms;
  }

  /**
   * Counts a connection for the merchant, now (and then returns nothing to wait for) or when one of its own is released.
   * Fails with `DatabaseUnavailable` when that takes too long; then nothing was counted.
   */
  acquire(merchantId: string): Promise<void> | undefined {
    const held = this.#held.get(merchantId) ?? 0;
    if (held >= this.#perMerchant) return this.#wait(merchantId);
    this.#held.set(merchantId, held + 1);
    return undefined;
  }

  /** To be called once for each connection that was acquired. */
  release(merchantId: string): void {
    const [settleNext] = this.#queues.get(merchantId) ?? [];
    if (settleNext !== undefined) {
      // It gets the connection that is released, so the count stays.
      settleNext();
      return;
    }
    const held = this.#held.get(merchantId)! - 1;
    if (held === 0) this.#held.delete(merchantId);
    else this.#held.set(merchantId, held);
  }

  /** Fails everything that waits. */
  close(): void {
    for (const queue of this.#queues.values()) {
      for (const settle of queue) settle('The connections are closed.');
    }
  }

  #wait(merchantId: string): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const queue = this.#queues.get(merchantId) ?? new Set();
    const settle: Settle = (failure) => {
      clearTimeout(timer);
      queue.delete(settle);
      if (queue.size === 0) this.#queues.delete(merchantId);
      if (failure === undefined) resolve();
      else reject(new DatabaseUnavailable(new Error(failure)));
    };
    const timer = setTimeout(
      () => settle('None of the connections that one merchant may hold was released in time.'),
      this.#timeout_ms,
    );
    this.#queues.set(merchantId, queue.add(settle));
    return promise;
  }
}
