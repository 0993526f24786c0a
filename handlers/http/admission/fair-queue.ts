import { Counts } from '../../../services/counts.ts';
import type { UpstreamCalls } from '../../../services/upstream-calls.ts';
import { TENANT_QUOTA, type Tenant } from './tickets.ts';

/**
 * The concurrency limit: the maximum of requests that run at once, not counting those that wait for an upstream call. A
 * higher limit makes each turn of the event loop longer, and refusals wait for it. With half of it, a fifth fewer
 * look-ups are served, because fewer of them share a round trip to the database.
 */
const MAX_RUNNING = 24;
const MAX_RUNNING_PER_TENANT = MAX_RUNNING * TENANT_QUOTA;

/** A request that is queued, and then runs. */
export interface Turn {
  readonly tenant: Tenant;
  /** Called when the request may run. */
  readonly start: () => void;
}

/**
 * The queue of requests that may not run yet. Tenants take turns; the requests of one tenant run in order of arrival.
 */
export class FairQueue {
  readonly #upstreamCalls: UpstreamCalls;
  /** By tenant, in the order of their turns. No queue is empty. */
  readonly #queues = new Map<Tenant, Set<Turn>>();
  readonly #running = new Counts();

  constructor(upstreamCalls: UpstreamCalls) {
    this.#upstreamCalls = upstreamCalls;
    upstreamCalls.onBegin(() => this.#startNext());
  }

  get queued(): number {
    let count = 0;
    for (const queue of this.#queues.values()) count += queue.size;
    return count;
  }

  /** Requests that were started and are not finished, including those that wait for an upstream call. */
  get running(): number {
    return this.#running.total;
  }

  /** Starts a request now or when its turn comes. */
  enter(turn: Turn): void {
    const { tenant } = turn;
    const queue = this.#queues.get(tenant);
    if (queue !== undefined) queue.add(turn);
    else if (this.#isFull() || this.#isFullFor(tenant)) this.#queues.set(tenant, new Set([turn]));
    else this.#start(turn);
  }

  /** Removes a request from the queue. Returns false when it runs already. */
  cancel(turn: Turn): boolean {
    const queue = this.#queues.get(turn.tenant);
    if (queue === undefined || !queue.delete(turn)) return false;
    if (queue.size === 0) this.#queues.delete(turn.tenant);
    return true;
  }

  /** Call it when a request is finished. Starts the next one. */
  end({ tenant }: Turn): void {
    this.#running.add(tenant, -1);
    this.#startNext();
  }

  #startNext(): void {
    // A tenant that has more requests moves to the end of the map, and this loop reaches it again.
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
    this.#running.add(turn.tenant, 1);
    turn.start();
  }

  /**
   * A request continues as soon as its upstream call ends, so a tenant can have more active requests than its limit.
   * The requests above the limit are not counted here: otherwise they would take the places of other tenants.
   */
  #isFull(): boolean {
    let active = 0;
    for (const tenant of this.#running.names)
      active += Math.min(this.#activeOf(tenant), MAX_RUNNING_PER_TENANT);
    return active >= MAX_RUNNING;
  }

  #isFullFor(tenant: Tenant): boolean {
    return this.#activeOf(tenant) >= MAX_RUNNING_PER_TENANT;
  }

  /** At least 0, because a merchant's upstream calls include those of background jobs. */
  #activeOf(tenant: Tenant): number {
    return Math.max(0, this.#running.of(tenant) - this.#upstreamCalls.inFlight(tenant));
  }
}
