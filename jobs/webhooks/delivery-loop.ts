import { randomUUID } from 'node:crypto';
import { assertWritable } from '../../db/engine/writable.ts';
import { type QueueContents, readQueues } from '../../db/webhooks/queue-contents.ts';
import { type LeasedQueue, leaseDueQueues, slotsWithDueQueues } from '../../db/webhooks/queues.ts';
import { Counts } from '../../services/counts.ts';
import type { Deps } from '../../services/deps.ts';
import { CallLimit } from '../../services/webhooks/call-limit.ts';
import { endFailedRun, FIRST_READ, QUEUE_LEASE_MS, runQueue } from '../../services/webhooks/deliver.ts';
import { EventBodies } from '../../services/webhooks/event-bodies.ts';
import { RecentMap } from './recent-map.ts';

export interface DeliveryLimits {
  /**
   * The maximum of queues in progress in this process. Most of them wait for their receivers, so they cost sockets and
   * memory only.
   */
  readonly queues: number;
  /**
   * At this number of queues of notification URLs in progress, no more of the same merchant begin: each URL may have
   * another host. Endpoints are not limited, because a merchant has few.
   */
  readonly notificationQueues: number;
  /** The maximum of slow queues in progress. However many there are, they leave room for others. */
  readonly slowQueues: number;
  /** A queue is slow if its last run had no success, or its last batch took longer than this. */
  readonly slowAfter_ms: number;
}

const LIMITS: DeliveryLimits = {
  queues: 2_048,
  notificationQueues: 64,
  slowQueues: 1_024,
  slowAfter_ms: 2_000,
};
/**
 * Queues whose speed a process remembers. The queue of an endpoint that was deleted does not become healthy again, so
 * the oldest ones are forgotten.
 */
const MAX_KNOWN = 10_000;
/** Also limits how many names of receivers are looked up in a burst: name servers drop queries of large ones. */
const LEASED_AT_ONCE = 32;
/** Slots whose queues are leased and read at the same time. Each reads with up to two connections to the database. */
const SLOTS_AT_ONCE = 3;
/** Each run may have as many calls in flight as its share of these, by the number of runs when it begins. */
const SHARED_CALLS = 4_096;
const MAX_CALLS_PER_QUEUE = 64;
const MIN_CALLS_PER_QUEUE = 2;

/**
 * Delivers what is due. The unit of work is a queue, which has one destination. Each queue has its own lease and its
 * own run, so a slow receiver does not delay others, even those of the same merchant (except for many notification
 * URLs, see `notificationQueues`). Any number of processes share the queues. It is no `WorkLoop`, because that one runs
 * the items of a merchant together and stalls them together.
 */
export class DeliveryLoop {
  readonly #deps: Deps;
  readonly #limits: DeliveryLimits;
  /** Of the events that are delivered while any queue is in progress. */
  readonly #bodies: EventBodies;
  /** Runs of queues, and the start of woken slots. */
  readonly #tasks = new Set<Promise<void>>();
  #runs = 0;
  /** Runs of queues of notification URLs, by merchant. */
  readonly #notificationRuns = new Counts();
  /** Queues that were slow in their last run here. */
  readonly #slow = new RecentMap<true>(MAX_KNOWN);
  /** Of queues that were healthy in their last run here. */
  readonly #calls = new RecentMap<CallLimit>(MAX_KNOWN);
  #slowRuns = 0;
  /** The maximum of queues that are being leased and read. */
  #reserved = 0;
  /** Slots, and when they were woken. */
  readonly #woken = new Map<number, Date>();
  #isWaking = false;
  #isStopped = false;

  constructor(deps: Deps, limits: Partial<DeliveryLimits> = {}) {
    this.#deps = deps;
    this.#limits = { ...LIMITS, ...limits };
    this.#bodies = new EventBodies(deps);
  }

  /** Leases due queues and starts them, up to the maximum. Does not wait for their end. Returns how many it started. */
  async round(): Promise<number> {
    await assertWritable(this.#deps.db);
    const wall = this.#deps.wall();
    const slots = await slotsWithDueQueues(this.#deps.db, wall);
    let started = 0;
    const next = async () => {
      for (let slot = slots.shift(); slot !== undefined; slot = slots.shift()) {
        const count = await this.#startQueues(slot, wall);
        started += count;
        // The slot may have more. Other slots come first.
        if (count === LEASED_AT_ONCE) slots.push(slot);
      }
    };
    await Promise.all(Array.from({ length: SLOTS_AT_ONCE }, next));
    return started;
  }

  /**
   * Starts what is due in a slot where queues have just become due. Does not wait for the next round, or for its end.
   */
  wake(slot: number): void {
    this.#woken.set(slot, this.#deps.wall());
    if (this.#isWaking) return;
    this.#isWaking = true;
    this.#track(this.#startWoken());
  }

  /** Delivers until nothing is due. Waits until all deliveries have ended. For tests. */
  async runToEnd(): Promise<void> {
    while ((await this.round()) > 0) await this.settled();
  }

  /** Starts nothing more, and waits until everything in progress has ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.settled();
  }

  /** One slot after the other, so that the start of many woken slots uses two connections to the database at most. */
  async #startWoken(): Promise<void> {
    try {
      for (const [slot, wall] of this.#woken) {
        this.#woken.delete(slot);
        const count = await this.#startQueues(slot, wall);
        if (count === LEASED_AT_ONCE && !this.#woken.has(slot)) this.#woken.set(slot, wall);
      }
    } catch (error) {
      // The next round finds the queues that are not leased, and a later one those that are.
      this.#woken.clear();
      this.#deps.log.error({ err: error }, 'delivering webhooks failed');
    } finally {
      this.#isWaking = false;
    }
  }

  /**
   * Leases queues of a slot that were due at `dueBy`, and starts them. Returns how many. A queue that is due again
   * after its run is left to the next round, so that a round ends.
   */
  async #startQueues(slot: number, dueBy: Date): Promise<number> {
    const limit = Math.min(LEASED_AT_ONCE, this.#limits.queues - this.#runs - this.#reserved);
    if (this.#isStopped || limit <= 0) return 0;
    this.#reserved += limit;
    try {
      const leased = await this.#lease(slot, dueBy, limit);
      if (leased.length === 0) return 0;
      const contents = await this.#read(slot, leased);
      for (const [i, queue] of leased.entries()) this.#track(this.#run(queue, contents[i]!));
      return leased.length;
    } finally {
      this.#reserved -= limit;
    }
  }

  /** In statements of their own, because the statement of the lease does not see what was committed while it ran. */
  async #read(slot: number, leased: readonly LeasedQueue[]): Promise<readonly QueueContents[]> {
    try {
      const contents = await readQueues(this.#deps.db, slot, leased, FIRST_READ);
      await this.#bodies.preload(slot, eventsOf(leased, contents));
      return contents;
    } catch (error) {
      for (const queue of leased) await this.#endFailedRun(queue);
      throw error;
    }
  }

  #lease(slot: number, dueBy: Date, limit: number): Promise<readonly LeasedQueue[]> {
    const { notificationQueues, slowQueues } = this.#limits;
    const running = this.#notificationRuns;
    return leaseDueQueues(this.#deps.db, slot, {
      limit,
      exceptNotificationsOf: [...running.partsOf()].filter((id) => running.of(id) >= notificationQueues),
      exceptQueues: this.#slowRuns >= slowQueues ? [...this.#slow.keys()] : [],
      dueBy,
      leasedUntil: new Date(this.#deps.wall().getTime() + QUEUE_LEASE_MS),
      leaseId: randomUUID(),
    });
  }

  async #run(queue: LeasedQueue, contents: QueueContents): Promise<void> {
    const { queueId, merchantId } = queue;
    const isSlow = this.#slow.has(queueId);
    // The queue of an endpoint that was deleted counts as well. Its run is short.
    const notificationRuns = contents.settings.endpoint === undefined ? 1 : 0;
    this.#runs += 1;
    this.#notificationRuns.add(merchantId, notificationRuns);
    if (isSlow) this.#slowRuns += 1;
    try {
      const share = Math.floor(SHARED_CALLS / this.#runs);
      const maxCalls = Math.max(MIN_CALLS_PER_QUEUE, Math.min(MAX_CALLS_PER_QUEUE, share));
      const calls = this.#calls.get(queueId) ?? new CallLimit();
      const isStopped = () => this.#isStopped;
      const { isHealthy, batch_ms, hasMore } = await runQueue(this.#deps, queue, {
        contents,
        bodies: this.#bodies,
        calls,
        maxCalls,
        isStopped,
      });
      if (isHealthy && batch_ms <= this.#limits.slowAfter_ms) this.#slow.delete(queueId);
      else this.#slow.set(queueId, true);
      if (isHealthy) this.#calls.set(queueId, calls);
      else this.#calls.delete(queueId);
      if (hasMore && !this.#isStopped) this.wake(queue.slot);
    } catch (error) {
      const fields = { merchant_id: merchantId, queue_id: queueId, err: error };
      this.#deps.log.error(fields, 'delivering webhooks failed');
      await this.#endFailedRun(queue);
    } finally {
      this.#runs -= 1;
      this.#notificationRuns.add(merchantId, -notificationRuns);
      if (isSlow) this.#slowRuns -= 1;
      if (this.#runs === 0) this.#bodies.clear();
    }
  }

  /** If this fails too, the queue is found again when its lease ends. */
  #endFailedRun(queue: LeasedQueue): Promise<void> {
    return endFailedRun(this.#deps, queue).catch(() => {});
  }

  #track(task: Promise<void>): void {
    this.#tasks.add(task);
    void task.then(() => this.#tasks.delete(task));
  }

  /** Waits until everything in progress has ended. */
  async settled(): Promise<void> {
    while (this.#tasks.size > 0) await Promise.all(this.#tasks);
  }
}

/** The events that are delivered first in each queue. */
function eventsOf(leased: readonly LeasedQueue[], contents: readonly QueueContents[]) {
  return leased.flatMap(({ merchantId }, i) =>
    contents[i]!.pending.flatMap(({ eventId }) => (eventId === null ? [] : [{ merchantId, eventId }])),
  );
}
