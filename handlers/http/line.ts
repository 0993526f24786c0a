import type { Waits } from '../../services/waits.ts';

/**
 * Requests worked on at once that do not wait for somebody else. More gain nothing: they make each other wait, and hold
 * memory meanwhile.
 */
const MOST_AT_WORK = 32;
/** Of them, one merchant's at most: its slow requests are not everybody's. */
const SHARE_AT_WORK = 24;
/** In whose name requests stand whose key has not proved good yet. */
export const STRANGERS = '';

/** Starts the work of a request; settles, and never fails, when it is answered. */
type Work = () => Promise<void>;

/** The requests that have come in, in front of the work: merchants take turns, each one's requests in their order. */
export class Line {
  readonly #waits: Waits;
  /** The one whose turn is next comes first. */
  readonly #queues = new Map<string, Set<Work>>();
  readonly #atWorkOf = new Map<string, number>();
  #atWork = 0;

  constructor(waits: Waits) {
    this.#waits = waits;
    waits.onBegin(() => this.#next());
  }

  /** Starts the work now, or when its turn comes. Returns how to give it up before that. */
  stand(merchantId: string, work: Work): () => void {
    const queue = this.#queues.get(merchantId);
    if (queue !== undefined) queue.add(work);
    else if (this.#isFull() || this.#isShareFull(merchantId)) this.#queues.set(merchantId, new Set([work]));
    else this.#start(merchantId, work);
    return () => this.#remove(merchantId, work);
  }

  #isFull(): boolean {
    return this.#atWork - this.#waits.of() >= MOST_AT_WORK;
  }

  /** Strangers have no share of their own: what they wait for is counted for the merchant that they turn out to be. */
  #isShareFull(merchantId: string): boolean {
    if (merchantId === STRANGERS) return false;
    return (this.#atWorkOf.get(merchantId) ?? 0) - this.#waits.of(merchantId) >= SHARE_AT_WORK;
  }

  #start(merchantId: string, work: Work): void {
    this.#atWork += 1;
    this.#atWorkOf.set(merchantId, (this.#atWorkOf.get(merchantId) ?? 0) + 1);
    void work().then(() => {
      this.#atWork -= 1;
      const left = this.#atWorkOf.get(merchantId)! - 1;
      if (left === 0) this.#atWorkOf.delete(merchantId);
      else this.#atWorkOf.set(merchantId, left);
      this.#next();
    });
  }

  #next(): void {
    // Whoever is put back at the end is met again.
    for (const [merchantId, queue] of this.#queues) {
      if (this.#isFull()) return;
      if (this.#isShareFull(merchantId)) continue;
      const [work] = queue;
      queue.delete(work!);
      this.#queues.delete(merchantId);
      if (queue.size > 0) this.#queues.set(merchantId, queue);
      this.#start(merchantId, work!);
    }
  }

  #remove(merchantId: string, work: Work): void {
    const queue = this.#queues.get(merchantId);
    queue?.delete(work);
    if (queue?.size === 0) this.#queues.delete(merchantId);
  }
}
