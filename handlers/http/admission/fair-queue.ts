import { Counts, levelsOf } from '../../../services/counts.ts';
import type { UpstreamCalls } from '../../../services/upstream-calls.ts';
import { activeRequests } from './active-requests.ts';
import { quotaAt, type Tenant } from './tickets.ts';
import { type Turn, WaitingTurns } from './waiting-turns.ts';

/**
 * The concurrency limit: the maximum of requests that run at once, not counting those that wait for an upstream call. A
 * higher limit makes each turn of the event loop longer, and refusals wait for it. With half of it, a fifth fewer
 * look-ups are served, because fewer of them share a round trip to the database.
 */
const MAX_RUNNING = 24;

/**
 * The queue of requests that may not run yet. Tenants take turns, and the parts of a tenant take its turns in turn; the
 * requests of one part run in order of arrival.
 */
export class FairQueue {
  readonly #upstreamCalls: UpstreamCalls;
  readonly #waiting = new WaitingTurns();
  readonly #running = new Counts();

  constructor(upstreamCalls: UpstreamCalls) {
    this.#upstreamCalls = upstreamCalls;
    upstreamCalls.onBegin(() => this.#startNext());
  }

  get queued(): number {
    return this.#waiting.count;
  }

  /** Requests that were started and are not finished, including those that wait for an upstream call. */
  get running(): number {
    return this.#running.total;
  }

  /** Starts a request now or when its turn comes. */
  enter(turn: Turn): void {
    const isFull = this.#isFull() || levelsOf(turn.tenant).some((name) => this.#isFullFor(name));
    if (isFull) this.#waiting.add(turn);
    else this.#start(turn);
  }

  /** Removes a request from the queue. Returns false when it runs already. */
  cancel(turn: Turn): boolean {
    return this.#waiting.remove(turn);
  }

  /** Call it when a request is finished. Starts the next one. */
  end({ tenant }: Turn): void {
    this.#running.add(tenant, -1);
    this.#startNext();
  }

  #startNext(): void {
    while (!this.#isFull()) {
      const turn = this.#waiting.next((name) => this.#isFullFor(name));
      if (turn === undefined) return;
      this.#start(turn);
    }
  }

  #start(turn: Turn): void {
    this.#running.add(turn.tenant, 1);
    turn.start();
  }

  #isFull(): boolean {
    return activeRequests(this.#running, this.#upstreamCalls, maxRunningAt(1)) >= MAX_RUNNING;
  }

  #isFullFor(name: Tenant): boolean {
    const level = levelsOf(name).length;
    const active = activeRequests(this.#running, this.#upstreamCalls, maxRunningAt(level + 1), name);
    return active >= maxRunningAt(level);
  }
}

/** The maximum of requests that run at once for a tenant, or for a part of one at this level. */
function maxRunningAt(level: number): number {
  return Math.floor(MAX_RUNNING * quotaAt(level));
}
