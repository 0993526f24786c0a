/** Calls that are in flight at first, when it is not known yet whether the receiver answers. */
const FIRST_CALLS = 4;
/** The largest batch, as a multiple of the calls in flight: results of as many deliveries are written at once. */
export const BATCH_PER_CALL = 4;
/** After as many successes for each call in flight, the limit may be doubled. */
const MEASURED_PER_CALL = 2;
/** It is doubled if this part more succeeded in the same time than in any earlier measurement. */
const GAIN = 0.3;
/** After as many measurements in a row below half of the best one, the receiver counts as a new one. */
const SLOW_MEASUREMENTS = 3;

/**
 * How many calls of a queue may be in flight. The limit is doubled while that makes the queue faster. A distant
 * receiver needs many calls. For a near one, more calls only wait in this process, where each connection costs time.
 * The limit is kept from one run to the next, because a receiver that takes seconds to answer does not show in one run
 * how many it can take.
 */
export class CallLimit {
  #now = FIRST_CALLS;
  #max = 0;
  #succeeded = 0;
  #began_ms = 0;
  #paused_ms = 0;
  /** The best measurement. */
  #perMs = 0;
  /** Measurements below half of the best one, since the last that was not. */
  #slow = 0;
  #isSteady = false;
  /** Whether the batch is of a backlog: as large as the limit allows. */
  #isFull = false;

  get now(): number {
    return Math.min(this.#now, this.#max);
  }

  /**
   * Notes the start of a run that may have at most `max` calls in flight. Each run measures again, because the receiver
   * may have been slow for a moment in the last one.
   */
  open(max: number, at_ms = performance.now()): void {
    // What succeeded after the limit was steady is not counted, so its time is not either.
    if (max !== this.#max || this.#isSteady) this.#measure(at_ms);
    this.#max = max;
    this.#isSteady = false;
  }

  /**
   * Notes the start of a batch. A smaller one, as in ordinary traffic, does not show what more calls gain: its last
   * calls leave others of the limit unused.
   */
  begin(deliveries: number, at_ms = performance.now()): void {
    this.#isFull = deliveries >= this.now * BATCH_PER_CALL;
    if (this.#isFull) this.#began_ms += at_ms - this.#paused_ms;
  }

  /** Notes the end of a batch: the time until the next one does not count. */
  pause(at_ms = performance.now()): void {
    if (this.#isFull) this.#paused_ms = at_ms;
  }

  /** Notes a success. */
  succeeded(at_ms = performance.now()): void {
    if (!this.#isFull || this.#isSteady || this.#now >= this.#max) return;
    if (++this.#succeeded < this.#now * MEASURED_PER_CALL) return;
    const perMs = this.#succeeded / (at_ms - this.#began_ms);
    this.#slow = perMs < this.#perMs / 2 ? this.#slow + 1 : 0;
    if (this.#slow === SLOW_MEASUREMENTS) {
      this.#slow = 0;
      this.#perMs = 0;
    }
    if (perMs > this.#perMs * (1 + GAIN)) this.#now = Math.min(this.#now * 2, this.#max);
    else this.#isSteady = true;
    // The best one, so that the run after a slow one does not count as faster because of more calls.
    this.#perMs = Math.max(this.#perMs, perMs);
    this.#measure(at_ms);
  }

  #measure(at_ms: number): void {
    this.#succeeded = 0;
    this.#began_ms = at_ms;
    this.#paused_ms = at_ms;
  }
}

/** Numbered tasks: `begin` starts one, and `end` receives its result. */
export interface LimitedRun<Result> {
  begin(place: number, ended: (result: Result) => void): void;
  end(place: number, result: Result): void;
}

/**
 * Starts tasks 0 to `count` - 1 in order, at most `limit` at a time. Starts none after `isOver` returns true. Resolves
 * when all started tasks have ended. If one throws, rejects and starts no more. A promise for each task would cost
 * more, and the next task would start too late to follow on the same connection (see `OutgoingCalls.begin`).
 */
export function runLimited<Result>(
  count: number,
  { begin, end }: LimitedRun<Result>,
  { limit, isOver }: { readonly limit: () => number; readonly isOver: () => boolean },
): Promise<void> {
  return new Promise((resolve, reject) => {
    let begun = 0;
    let running = 0;
    let isBeginning = false;
    const fail = (error: unknown) => {
      begun = count;
      reject(error);
    };
    const beginAll = () => {
      while (begun < count && running < limit() && !isOver()) {
        running += 1;
        const place = begun++;
        begin(place, (result) => ended(place, result));
      }
      if (running === 0) resolve();
    };
    const next = () => {
      // What ends at once is followed by the loop that began it.
      if (isBeginning) return;
      isBeginning = true;
      try {
        beginAll();
      } catch (error) {
        fail(error);
      }
      isBeginning = false;
    };
    const ended = (place: number, result: Result) => {
      running -= 1;
      try {
        end(place, result);
      } catch (error) {
        fail(error);
      }
      next();
    };
    next();
  });
}
