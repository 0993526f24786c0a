import { DatabaseUnavailable } from './unavailable.ts';

/** The part of the connections that one merchant may hold, at least one. */
const QUOTA = 3 / 4;

/** Ends a wait: successfully, or with the reason of the failure. */
type Settle = (failure?: string) => void;

/**
 * Limits the connections of each merchant. A statement that waits for a lock keeps its connection for ten seconds:
 * without a quota, eight such statements of one merchant caused the requests of all other merchants to be refused.
 */
export class ConnectionQuota {
  readonly #perMerchant: number;
  readonly #timeout_ms: number;
  readonly #held = new Map<string, number>();
  /** Callers that wait, by merchant. */
  readonly #queues = new Map<string, Set<Settle>>();

  /** Divides `connections`. A caller waits at most `timeout_ms`. */
  constructor(connections: number, timeout_ms: number) {
    this.#perMerchant = Math.max(1, Math.floor(connections * QUOTA));
    this.#timeout_ms = timeout_ms;
  }

  /**
   * Counts a connection for the merchant. Returns undefined when it was counted at once. Otherwise returns a promise
   * that resolves when one of the merchant's connections is released, or rejects with `DatabaseUnavailable` after the
   * time limit, with nothing counted.
   */
  acquire(merchantId: string): Promise<void> | undefined {
    const held = this.#held.get(merchantId) ?? 0;
    if (held >= this.#perMerchant) return this.#wait(merchantId);
    this.#held.set(merchantId, held + 1);
    return undefined;
  }

  /** Must be called once for each acquired connection. */
  release(merchantId: string): void {
    const [settleNext] = this.#queues.get(merchantId) ?? [];
    if (settleNext !== undefined) {
      // The next caller gets the connection, so the count does not change.
      settleNext();
      return;
    }
    const held = this.#held.get(merchantId)! - 1;
    if (held === 0) this.#held.delete(merchantId);
    else this.#held.set(merchantId, held);
  }

  /** Fails all callers that wait. */
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
      () => settle('The merchant holds all connections that it may, and none was released in time.'),
      this.#timeout_ms,
    );
    this.#queues.set(merchantId, queue.add(settle));
    return promise;
  }
}
