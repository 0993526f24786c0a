import type { UpstreamCalls } from '../../../services/upstream-calls.ts';
import { TENANT_QUOTA } from './tickets.ts';

/**
 * The concurrency limit: requests that run at once, without those that wait for an upstream call. With more of them a
 * turn of the event loop takes longer, and refusals wait for it; with half as many a fifth fewer look-ups are served,
 * since fewer of them share a round trip to the database.
 */
const MAX_RUNNING = 24;
const MAX_RUNNING_PER_TENANT = MAX_RUNNING * TENANT_QUOTA;

/** A request that is queued, and then runs. */
export interface Turn {
  readonly tenant: string;
  /** Called when the request may run. */
  readonly start: () => void;
}

/** The queue in front of the work. Tenants take turns; the requests of one tenant run in the order in which they came. */
export class FairQueue {
  readonly #upstreamCalls: UpstreamCalls;
  /** By tenant, the next one first. No queue is empty. */
  readonly #queues = new Map<string, Set<Turn>>();
  readonly #runningOf = new Map<string, number>();
  #running = 0;

  constructor(upstreamCalls: UpstreamCalls) {
    this.#upstreamCalls = upstreamCalls;
    upstreamCalls.onBegin(() => this.#startNext());
  }

  get queued(): number {
    let count = 0;
    for (const queue of this.#queues.values()) count += queue.size;
    return count;
  }

  /** Requests that were started and are not over, with those that wait for an upstream call. */
  get running(): number {
    return this.#running;
  }

  /** Starts a request now or when its turn comes. */
  enter(turn: Turn): void {
    const { tenant } = turn;
    const queue = this.#queues.get(tenant);
    if (queue !== undefined) queue.add(turn);
    else if (this.#isFull() || this.#isFullFor(tenant)) this.#queues.set(tenant, new Set([turn]));
    else this.#start(turn);
  }

  /** Removes a request that is queued; false when it runs already. */
  cancel(turn: Turn): boolean {
    const queue = this.#queues.get(turn.tenant);
    if (queue === undefined || !queue.delete(turn)) return false;
    if (queue.size === 0) this.#queues.delete(turn.tenant);
    return true;
  }

  /** Ends a request that runs, and starts the next. */
  end({ tenant }: Turn): void {
    this.#count(tenant, -1);
    this.#startNext();
  }

  #startNext(): void {
    // A tenant with more requests moves to the end, where this loop meets it again.
    for (const [tenant, queue] of this.#queues) {
      if (this.#isFull()) return;
      if (this.#isFullFor(tenant)) continue;
      const [turn] = queue;
      queue.delete(turn!);
      this.#queues.delete(tenant);
      if (queue.size > 0) this.#queues.set(tenant, queue);
      this.#start(turn!);
    }
  }

  #start(turn: Turn): void {
    this.#count(turn.tenant, 1);
    turn.start();
  }

  #count(tenant: string, change: 1 | -1): void {
    this.#running += change;
    const count = (this.#runningOf.get(tenant) ?? 0) + change;
    if (count === 0) this.#runningOf.delete(tenant);
    else this.#runningOf.set(tenant, count);
  }

  /**
   * A request goes on as soon as its upstream call ends, so a tenant can have more active than its limit. It counts with
   * its limit then, and other tenants keep theirs.
   */
  #isFull(): boolean {
    if (this.#running < MAX_RUNNING) return false;
    let active = 0;
    for (const tenant of this.#runningOf.keys())
      active += Math.min(this.#activeOf(tenant), MAX_RUNNING_PER_TENANT);
    return active >= MAX_RUNNING;
  }

  #isFullFor(tenant: string): boolean {
    return this.#activeOf(tenant) >= MAX_RUNNING_PER_TENANT;
  }

  /** At least 0: calls of background jobs are among a merchant's upstream calls. */
  #activeOf(tenant: string): number {
    return Math.max(0, (this.#runningOf.get(tenant) ?? 0) - this.#upstreamCalls.inFlight(tenant));
  }
}
