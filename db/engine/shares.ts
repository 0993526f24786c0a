import { DatabaseUnavailable } from './unavailable.ts';

/**
 * The merchant whose share a connection is taken from. Undefined for statements over many merchants (each job has one at a
 * time) and for look-ups, which wait for no row.
 */
export type Holder = string | undefined;

/** The part of the connections that one merchant may hold: one at least. */
const SHARE = 3 / 4;

interface Waiting {
  readonly proceed: () => void;
  readonly fail: (reason: string) => void;
}

/**
 * Limits how many connections each merchant holds at once; further callers of that merchant wait. A statement that waits
 * for a lock keeps its connection for ten seconds: without a limit, eight of one merchant kept all others out.
 */
export class Shares {
  readonly #limit: number;
  readonly #timeout_ms: number;
  readonly #held = new Map<string, number>();
  /** Callers that wait, of merchants that have reached the limit. */
  readonly #queues = new Map<string, Set<Waiting>>();

  /** Shares out `connections`. A caller waits for `timeout_ms` at most. */
  constructor(connections: number, timeout_ms: number) {
    this.#limit = Math.max(1, Math.floor(connections * SHARE));
    this.#timeout_ms = timeout_ms;
  }

  /**
   * Counts a connection for the merchant. Returns undefined when it was below its limit: there is nothing to wait for.
   * Otherwise resolves when another of its connections was given back; throws `DatabaseUnavailable` when none was in time,
   * and then nothing is counted.
   */
  take(merchantId: string): Promise<void> | undefined {
    const held = this.#held.get(merchantId) ?? 0;
    if (held >= this.#limit) return this.#wait(merchantId);
    this.#held.set(merchantId, held + 1);
    return undefined;
  }

  /** Gives back a connection that was counted; once for each. */
  giveBack(merchantId: string): void {
    const queue = this.#queues.get(merchantId);
    if (queue !== undefined) {
      // The next caller is counted in place of this one.
      const [next] = queue;
      next!.proceed();
      return;
    }
    const held = this.#held.get(merchantId)! - 1;
    if (held === 0) this.#held.delete(merchantId);
    else this.#held.set(merchantId, held);
  }

  /** Fails all callers that wait. */
  close(): void {
    for (const queue of this.#queues.values()) {
      for (const waiting of queue) waiting.fail('The connections are closed.');
    }
  }

  #wait(merchantId: string): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = () => {
      clearTimeout(timer);
      this.#remove(merchantId, waiting);
    };
    const waiting: Waiting = {
      proceed: () => {
        leave();
        resolve();
      },
      fail: (reason) => {
        leave();
        reject(new DatabaseUnavailable(new Error(reason)));
      },
    };
    const timer = setTimeout(
      () => waiting.fail('None of the connections that one merchant may hold came back in time.'),
      this.#timeout_ms,
    );
    const queue = this.#queues.get(merchantId);
    if (queue === undefined) this.#queues.set(merchantId, new Set([waiting]));
    else queue.add(waiting);
    return promise;
  }

  #remove(merchantId: string, waiting: Waiting): void {
    const queue = this.#queues.get(merchantId)!;
    queue.delete(waiting);
    if (queue.size === 0) this.#queues.delete(merchantId);
  }
}
