import type { Claim } from '../db/engine/claim.ts';
import { DatabaseUnavailable } from '../db/engine/unavailable.ts';
import { assertWritable } from '../db/engine/writable.ts';
import { MINUTE_MS } from '../domain/durations.ts';
import type { MerchantScope } from '../domain/scope.ts';
import type { Deps } from '../services/deps.ts';

/** One claim of due work in a slot, at a wall time. */
export interface DueClaim extends Claim {
  readonly wall: Date;
  /** Until then no other process claims the same items. */
  readonly leasedUntil: Date;
}

/** Work of one kind that falls due for many merchants. */
export interface Work<Item extends MerchantScope> {
  /** Slots in which something is due at `wall`. */
  findSlots(wall: Date): Promise<number[]>;
  /**
   * Claims due items of a slot, the longest due first, so that no other process runs them: by the lease, or because a
   * run takes a lock. Work of a single statement is done here.
   */
  claim(slot: number, claim: DueClaim): Promise<Item[]>;
  /**
   * Does one item. Returns whether it had a result. False means that the merchant's next item would have none either,
   * for example because its acquirer does not answer. An error affects only this item, except `DatabaseUnavailable`.
   */
  run(item: Item): Promise<boolean>;
  /** The log entry when a run throws. The merchant is added to it. */
  failure(item: Item): { readonly message: string; readonly fields?: object };
  /** How long a claim lasts, longer than a run may take. Default 0, for runs that take a lock. */
  readonly lease_ms?: number;
  /** Items of the first claim in a slot, when nothing is known about the merchant. */
  readonly firstBatch?: number;
  /** Items of a merchant at a time, after its first item had a result. */
  readonly batch?: number;
  /** The maximum of items in progress in this process. */
  readonly concurrency?: number;
}

const ROWS_AT_ONCE = 1_000;

/**
 * Work that a claim does itself, one batch of rows of any merchants for each statement, so that nothing is left to run.
 * A claim for one merchant does nothing, because the slot is claimed until nothing is left.
 */
export function batchWork({
  claim,
  ...work
}: Pick<Work<MerchantScope>, 'findSlots' | 'claim' | 'failure'>): Work<MerchantScope> {
  return {
    ...work,
    claim: async (slot, due) => (due.only === null ? claim(slot, due) : []),
    run: async () => true,
    firstBatch: ROWS_AT_ONCE,
    concurrency: ROWS_AT_ONCE,
  };
}

const FIRST_BATCH = 1;
const BATCH = 8;
const CONCURRENCY = 64;
/** How long a merchant is stalled after a run without result. */
const STALLED_MS = 10 * MINUTE_MS;

interface Stalled {
  readonly slot: number;
  /** As performance.now(). */
  readonly since: number;
}

/** The result of an item. `failed`: it threw an error, which was logged. */
type Result = 'done' | 'nothing' | 'failed';

/**
 * A claim that is queued.
 * - `any`: items of any merchant of the slot.
 * - `more`: more items of a merchant, after a run had a result.
 * - `trial`: one item of a stalled merchant.
 */
interface QueuedClaim {
  readonly kind: 'any' | 'more' | 'trial';
  readonly slot: number;
  readonly merchantId: string | null;
}

type LoopDeps = Pick<Deps, 'db' | 'log' | 'wall'>;

/**
 * Does due work: finds the slots that have some, claims items slot by slot, and runs many items at once. Any number of
 * processes can run the same work. No merchant delays another:
 * - The first claim takes one item of a merchant. Further claims take a batch, as long as the items have results.
 *   Claims leave out a merchant with items in progress or a queued claim, so that other merchants of the slot follow.
 * - A merchant whose items had no result, because its acquirer does not answer or its rows are locked, is stalled: each
 *   round tries one item until one has a result. All stalled merchants together use at most half of the concurrency.
 */
export class WorkLoop<Item extends MerchantScope> {
  readonly #deps: LoopDeps;
  readonly #work: Work<Item>;
  readonly #concurrency: number;
  /** Queued claims, in order and without duplicates. */
  readonly #claims = new Map<string, QueuedClaim>();
  readonly #stalled = new Map<string, Stalled>();
  /** Merchants with items in progress, and their slots. */
  readonly #busy = new Map<string, number>();
  readonly #tasks = new Set<Promise<void>>();
  #inProgress = 0;
  #trialsInProgress = 0;
  #isClaiming = false;
  #isStopped = false;
  #failure: unknown;
  #claimed = 0;
  #done = 0;

  constructor(deps: LoopDeps, work: Work<Item>) {
    this.#deps = deps;
    this.#work = work;
    this.#concurrency = work.concurrency ?? CONCURRENCY;
  }

  /**
   * Finds work and starts it. Does not wait for its end; more items are claimed when items end. Throws the error of a
   * claim since the last round, and `DatabaseUnavailable` while the database is not available.
   */
  async round(): Promise<void> {
    this.#throwFailure();
    await assertWritable(this.#deps.db);
    const slots = await this.#work.findSlots(this.#deps.wall());
    for (const slot of slots) this.#queue({ kind: 'any', slot, merchantId: null });
    this.#queueTrials(new Set(slots));
    await this.#claimAll();
    this.#throwFailure();
  }

  /** Runs one round until nothing is due or in progress. Returns how many items were claimed, and done. */
  async runToEnd(): Promise<{ readonly claimed: number; readonly done: number }> {
    try {
      await this.round();
    } finally {
      await this.#allEnded();
    }
    this.#throwFailure();
    return { claimed: this.#claimed, done: this.#done };
  }

  /** Stops claiming, and waits until all items have ended. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#allEnded();
  }

  #queue(claim: QueuedClaim): void {
    const key = claim.merchantId ?? `slot ${claim.slot}`;
    if (!this.#claims.has(key)) this.#claims.set(key, claim);
  }

  #queueTrials(slots: ReadonlySet<number>): void {
    const now = performance.now();
    for (const [merchantId, { slot, since }] of this.#stalled) {
      if (now - since > STALLED_MS) this.#stalled.delete(merchantId);
      else if (slots.has(slot) && !this.#busy.has(merchantId))
        this.#queue({ kind: 'trial', slot, merchantId });
    }
  }

  /** Claims as long as there are queued claims and more items can be started. */
  async #claimAll(): Promise<void> {
    if (this.#isClaiming) return;
    this.#isClaiming = true;
    try {
      for (let claim = this.#nextClaim(); claim !== undefined; claim = this.#nextClaim()) {
        const items = await this.#work.claim(claim.slot, this.#dueClaim(claim));
        // Other merchants of the slot may have more.
        if (claim.kind === 'any' && items.length > 0) this.#queue(claim);
        this.#begin(items, claim.kind === 'trial');
      }
    } catch (error) {
      this.#halt(error);
    } finally {
      this.#isClaiming = false;
    }
  }

  #nextClaim(): QueuedClaim | undefined {
    if (this.#isStopped || this.#inProgress >= this.#concurrency) return undefined;
    const mayTry = this.#trialsInProgress < this.#concurrency / 2;
    for (const [key, claim] of this.#claims) {
      if (claim.kind === 'trial' && !mayTry) continue;
      this.#claims.delete(key);
      return claim;
    }
    return undefined;
  }

  #dueClaim(claim: QueuedClaim): DueClaim {
    const wall = this.#deps.wall();
    const leasedUntil = new Date(wall.getTime() + (this.#work.lease_ms ?? 0));
    return { ...this.#claimOf(claim), wall, leasedUntil };
  }

  #claimOf({ kind, slot, merchantId }: QueuedClaim): Claim {
    const { firstBatch = FIRST_BATCH, batch = BATCH } = this.#work;
    if (kind === 'trial') return { limit: 1, only: merchantId, except: [] };
    const free = this.#concurrency - this.#inProgress;
    if (kind === 'more') return { limit: Math.min(batch, free), only: merchantId, except: [] };
    return { limit: Math.min(firstBatch, free), only: null, except: this.#leftOut(slot) };
  }

  /** Merchants of a slot with items in progress, or with a claim of their own. */
  #leftOut(slot: number): string[] {
    return [
      ...[...this.#busy].filter(([, own]) => own === slot).map(([id]) => id),
      ...[...this.#stalled].filter(([, own]) => own.slot === slot).map(([id]) => id),
      ...[...this.#claims.values()].filter((own) => own.slot === slot).flatMap((own) => own.merchantId ?? []),
    ];
  }

  #begin(items: readonly Item[], isTrial: boolean): void {
    this.#claimed += items.length;
    for (const [merchantId, own] of Map.groupBy(items, (item) => item.merchantId)) {
      this.#busy.set(merchantId, own[0]!.slot);
      this.#inProgress += own.length;
      if (isTrial) this.#trialsInProgress += 1;
      this.#track(this.#runAll(merchantId, own, isTrial));
    }
  }

  async #runAll(merchantId: string, items: readonly Item[], isTrial: boolean): Promise<void> {
    const { slot } = items[0]!;
    const results = await Promise.all(items.map((item) => this.#runOne(item)));
    this.#busy.delete(merchantId);
    if (isTrial) this.#trialsInProgress -= 1;
    this.#stalled.delete(merchantId);
    if (results.some((result) => result !== 'nothing')) this.#queue({ kind: 'more', slot, merchantId });
    else this.#stalled.set(merchantId, { slot, since: performance.now() });
    this.#track(this.#claimAll());
  }

  async #runOne(item: Item): Promise<Result> {
    try {
      if (!(await this.#work.run(item))) return 'nothing';
      this.#done += 1;
      return 'done';
    } catch (error) {
      const { message, fields } = this.#work.failure(item);
      this.#deps.log.error({ ...fields, merchant_id: item.merchantId, err: error }, message);
      if (!(error instanceof DatabaseUnavailable)) return 'failed';
      // It takes seconds per item to find that the database is down, so the loop stops claiming.
      await assertWritable(this.#deps.db).catch((unavailable: unknown) => this.#halt(unavailable));
      return 'nothing';
    } finally {
      this.#inProgress -= 1;
      this.#track(this.#claimAll());
    }
  }

  /** Stops claiming until the next round, which throws this error. */
  #halt(failure: unknown): void {
    this.#failure ??= failure;
    this.#claims.clear();
  }

  #throwFailure(): void {
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure !== undefined) throw failure;
  }

  async #allEnded(): Promise<void> {
    while (this.#tasks.size > 0) await Promise.all(this.#tasks);
  }

  #track(task: Promise<void>): void {
    this.#tasks.add(task);
    void task.then(() => this.#tasks.delete(task));
  }
}
