import { DatabaseUnavailable } from './unavailable.ts';

/**
 * The merchant out of whose share a connection is taken. What goes over the rows of many merchants is nobody's: the jobs',
 * each of which has one such statement at a time; and so are look-ups, which wait for no row.
 */
export type Holder = string | undefined;

/** The part of the connections that one merchant may hold: one at least. */
const SHARE = 3 / 4;

interface Waiting {
  readonly goOn: () => void;
  readonly giveUp: (why: string) => void;
}

/**
 * How many connections each merchant holds, and what waits for one of them to come back. A statement that waits for a lock
 * keeps its connection for ten seconds: eight of one merchant's had everybody else refused before there were shares.
 */
export class Shares {
  readonly #most: number;
  readonly #longestWait_ms: number;
  readonly #held = new Map<string, number>();
  /** Only of merchants who hold all that they may. */
  readonly #queues = new Map<string, Set<Waiting>>();

  /** Of so many `connections`; whoever waits for `longestWait_ms` gives up. */
  constructor(connections: number, longestWait_ms: number) {
    this.#most = Math.max(1, Math.floor(connections * SHARE));
    this.#longestWait_ms = longestWait_ms;
  }

  /**
   * Counts a connection for the merchant: at once where it may have one more, and then there is nothing to wait for. Else
   * resolves when its turn has come, or fails as `DatabaseUnavailable`, and then nothing was counted.
   */
  take(merchantId: string): Promise<void> | undefined {
    const held = this.#held.get(merchantId) ?? 0;
    if (held >= this.#most) return this.#wait(merchantId);
    this.#held.set(merchantId, held + 1);
    return undefined;
  }

  /** Once for everything taken, whatever became of it. */
  giveBack(merchantId: string): void {
    const queue = this.#queues.get(merchantId);
    if (queue !== undefined) {
      // Counted in place of the one that is done.
      const [next] = queue;
      next!.goOn();
      return;
    }
    const held = this.#held.get(merchantId)! - 1;
    if (held === 0) this.#held.delete(merchantId);
    else this.#held.set(merchantId, held);
  }

  /** Whoever waits gives up. */
  close(): void {
    for (const queue of this.#queues.values()) {
      for (const waiting of queue) waiting.giveUp('The connections are closed.');
    }
  }

  #wait(merchantId: string): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = () => {
      clearTimeout(timer);
      this.#remove(merchantId, waiting);
    };
    const waiting: Waiting = {
      goOn: () => {
        leave();
        resolve();
      },
      giveUp: (why) => {
        leave();
        reject(new DatabaseUnavailable(new Error(why)));
      },
    };
    const timer = setTimeout(
      () => waiting.giveUp('None of the connections that one merchant may hold came back in time.'),
      this.#longestWait_ms,
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
