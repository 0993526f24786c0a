import { randomUUID } from 'node:crypto';
import { assertWritable } from '../../db/engine/writable.ts';
import { type LeasedQueue, leaseDueQueues, slotsWithDueQueues } from '../../db/webhooks/queues.ts';
import type { Deps } from '../../services/deps.ts';
import { QUEUE_LEASE_MS, runQueue } from '../../services/webhooks/deliver.ts';
import { RecentIds } from './recent-ids.ts';

/**
 * The maximum of queues in progress in this process. Most of them wait for their receivers, so they cost sockets and
 * memory only.
 */
const MAX_QUEUES = 2_048;
/** The maximum for one merchant, which can have many queues, because each notification URL may have another host. */
const MAX_QUEUES_PER_MERCHANT = 64;
/**
 * The maximum of queues in progress whose last run had no success. However slow they are, they leave room for others.
 */
const MAX_SLOW_QUEUES = MAX_QUEUES / 2;
/** Slow queues that a process remembers. The queue of an endpoint that was deleted is never healthy again. */
const MAX_SLOW_KNOWN = 10_000;
const LEASED_AT_ONCE = 128;
/** The maximum of calls in flight in this process, and for one queue. */
const MAX_CALLS = 4_096;
const MAX_CALLS_PER_QUEUE = 64;
const MIN_CALLS_PER_QUEUE = 2;

/**
 * Delivers what is due. The unit of work is a queue, which has one destination. Each queue has its own lease and its
 * own run, so a slow receiver does not delay others, even those of the same merchant. Any number of processes share the
 * queues.
 */
export class DeliveryLoop {
  readonly #deps: Deps;
  readonly #runs = new Set<Promise<void>>();
  readonly #ofMerchant = new Map<string, number>();
  /** Queues whose last run here had no success. */
  readonly #slow = new RecentIds(MAX_SLOW_KNOWN);
  #slowRuns = 0;
  #isStopped = false;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Leases due queues and starts them, up to the maximum. Does not wait for their end. Returns how many it started. */
  async round(): Promise<number> {
    await assertWritable(this.#deps.db);
    const slots = await slotsWithDueQueues(this.#deps.db, this.#deps.wall());
    let started = 0;
    for (const slot of slots) {
      let leased: readonly LeasedQueue[];
      do {
        leased = await this.#lease(slot);
        for (const queue of leased) this.#start(queue);
        started += leased.length;
      } while (leased.length === LEASED_AT_ONCE);
    }
    return started;
  }

  /** Delivers until nothing is due. Waits until all deliveries have ended. For tests. */
  async runToEnd(): Promise<void> {
    while ((await this.round()) > 0) await this.#settled();
  }

  /** Starts nothing more, and waits until everything in progress has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#settled();
  }

  async #lease(slot: number): Promise<readonly LeasedQueue[]> {
    const limit = Math.min(LEASED_AT_ONCE, MAX_QUEUES - this.#runs.size);
    if (this.#isStopped || limit <= 0) return [];
    const wall = this.#deps.wall();
    return leaseDueQueues(this.#deps.db, slot, {
      limit,
      only: null,
      except: [...this.#ofMerchant].filter(([, runs]) => runs >= MAX_QUEUES_PER_MERCHANT).map(([id]) => id),
      exceptQueues: this.#slowRuns >= MAX_SLOW_QUEUES ? [...this.#slow] : [],
      wall,
      leasedUntil: new Date(wall.getTime() + QUEUE_LEASE_MS),
      leaseId: randomUUID(),
    });
  }

  #start(queue: LeasedQueue): void {
    const run = this.#run(queue);
    this.#runs.add(run);
    void run.then(() => this.#runs.delete(run));
  }

  async #run(queue: LeasedQueue): Promise<void> {
    const { queueId, merchantId } = queue;
    const isSlow = this.#slow.has(queueId);
    this.#count(merchantId, 1);
    if (isSlow) this.#slowRuns += 1;
    try {
      const share = Math.floor(MAX_CALLS / Math.max(this.#runs.size, 1));
      const maxBatch = Math.max(MIN_CALLS_PER_QUEUE, Math.min(MAX_CALLS_PER_QUEUE, share));
      const isHealthy = await runQueue(this.#deps, queue, { maxBatch, isStopped: () => this.#isStopped });
      if (isHealthy) this.#slow.delete(queueId);
      else this.#slow.add(queueId);
    } catch (error) {
      // The queue is found again when its lease ends.
      const fields = { merchant_id: merchantId, queue_id: queueId, err: error };
      this.#deps.log.error(fields, 'delivering webhooks failed');
    } finally {
      this.#count(merchantId, -1);
      if (isSlow) this.#slowRuns -= 1;
    }
  }

  #count(merchantId: string, change: 1 | -1): void {
    const count = (this.#ofMerchant.get(merchantId) ?? 0) + change;
    if (count === 0) this.#ofMerchant.delete(merchantId);
    else this.#ofMerchant.set(merchantId, count);
  }

  async #settled(): Promise<void> {
    while (this.#runs.size > 0) await Promise.all(this.#runs);
  }
}
