import type { Waits } from '../../services/waits.ts';

/**
 * Requests worked on at once that do not wait for somebody else. More gain nothing: they make each other wait, and hold
 * memory meanwhile, and the turns of the event loop longer, in which refusals wait. Half as many serve a fifth fewer
 * look-ups, which then share fewer round trips.
 */
const MOST_AT_WORK = 24;
/** Of them, one merchant's at most: its slow requests are not everybody's. */
const SHARE_AT_WORK = 18;
/** In whose name requests stand whose key has not proved good yet. */
export const STRANGERS = '';

/** Starts the work of a request; settles when it is over. */
type Work = () => Promise<void>;

/** A request's turn: in whose name it stands, or is worked on. */
export interface Turn {
  merchantId: string;
}

interface Waiting {
  readonly turn: Turn;
  readonly start: () => void;
}

/** The requests that have come in, in front of the work: merchants take turns, each one's requests in their order. */
export class Line {
  readonly #waits: Waits;
  /** The one whose turn is next comes first. */
  readonly #queues = new Map<string, Set<Waiting>>();
  readonly #atWorkOf = new Map<string, number>();
  #atWork = 0;

  constructor(waits: Waits) {
    this.#waits = waits;
    waits.onBegin(() => this.#next());
  }

  /** Requests that wait for their turn. */
  get queued(): number {
    let count = 0;
    for (const queue of this.#queues.values()) count += queue.size;
    return count;
  }

  /** Requests that were started and are not answered yet, those that wait for somebody else included. */
  get working(): number {
    return this.#atWork;
  }

  /** Starts the work now, or when its turn comes. Returns how to give it up before that. */
  stand(turn: Turn, work: Work): () => void {
    const start = () =>
      void work().finally(() => {
        this.#count(turn, -1);
        this.#next();
      });
    const waiting = { turn, start };
    if (this.#queues.has(turn.merchantId) || !this.#hasPlaceFor(turn)) this.#add(waiting);
    else this.#start(waiting);
    return () => this.#remove(waiting);
  }

  /**
   * For a request at work that was not counted, or for somebody else: keeps its place where the merchant may have it, and
   * otherwise leaves it to others and resolves when its turn comes.
   */
  async goOn(turn: Turn, merchantId: string): Promise<void> {
    this.#count(turn, -1);
    turn.merchantId = merchantId;
    if (this.#hasPlaceFor(turn)) {
      this.#count(turn, 1);
      return;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#add({ turn, start: resolve });
    this.#next();
    await promise;
  }

  #hasPlaceFor({ merchantId }: Turn): boolean {
    return !this.#isFull() && !this.#isShareFull(merchantId);
  }

  #isFull(): boolean {
    const atWork = this.#atWork - this.#waits.of();
    return atWork >= MOST_AT_WORK && atWork - this.#beyondShares() >= MOST_AT_WORK;
  }

  /** Who waited goes on at once: a merchant who gets many answers together has more at work than it may. */
  #beyondShares(): number {
    let beyond = 0;
    for (const [merchantId, count] of this.#atWorkOf) {
      if (merchantId === STRANGERS) continue;
      beyond += Math.max(0, count - this.#waits.of(merchantId) - SHARE_AT_WORK);
    }
    return beyond;
  }

  /** Strangers have no share of their own: each goes on as the merchant that it turns out to be. */
  #isShareFull(merchantId: string): boolean {
    if (merchantId === STRANGERS) return false;
    return (this.#atWorkOf.get(merchantId) ?? 0) - this.#waits.of(merchantId) >= SHARE_AT_WORK;
  }

  #start({ turn, start }: Waiting): void {
    this.#count(turn, 1);
    start();
  }

  #count({ merchantId }: Turn, change: 1 | -1): void {
    this.#atWork += change;
    const count = (this.#atWorkOf.get(merchantId) ?? 0) + change;
    if (count === 0) this.#atWorkOf.delete(merchantId);
    else this.#atWorkOf.set(merchantId, count);
  }

  #next(): void {
    // Whoever is put back at the end is met again.
    for (const [merchantId, queue] of this.#queues) {
      if (this.#isFull()) return;
      if (this.#isShareFull(merchantId)) continue;
      const [waiting] = queue;
      queue.delete(waiting!);
      this.#queues.delete(merchantId);
      if (queue.size > 0) this.#queues.set(merchantId, queue);
      this.#start(waiting!);
    }
  }

  #add(waiting: Waiting): void {
    const { merchantId } = waiting.turn;
    const queue = this.#queues.get(merchantId);
    if (queue === undefined) this.#queues.set(merchantId, new Set([waiting]));
    else queue.add(waiting);
  }

  #remove(waiting: Waiting): void {
    const { merchantId } = waiting.turn;
    const queue = this.#queues.get(merchantId);
    queue?.delete(waiting);
    if (queue?.size === 0) this.#queues.delete(merchantId);
  }
}
