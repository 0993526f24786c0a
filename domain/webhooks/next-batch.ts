import type { Delivery } from './delivery.ts';
import type { Faults } from './faults.ts';

/** How long a delivery waits for a later one that is sent before it. */
const REORDER_WAIT_MS = 5_000;
const PAIR = 2;

type Pending = Pick<Delivery, 'nextAttemptAt'>;

export interface Batch<One> {
  /** In the order in which they are sent. */
  readonly due: readonly One[];
  /** When the first of the others is due; null: there is none. */
  readonly nextDueAt: Date | null;
}

/**
 * Selects which deliveries of a queue are sent at `wall`, at most `size`. `pending` are its first ones, in the order in
 * which they are due, and one more than `size` if there are as many.
 */
export function nextBatch<One extends Pending>(
  pending: readonly One[],
  { size, wall, faults }: { readonly size: number; readonly wall: Date; readonly faults: Faults },
): Batch<One> {
  const dueAt_ms = ({ nextAttemptAt }: One) => nextAttemptAt!.getTime() + faults.delay_s * 1_000;
  const due = pending.slice(0, size).filter((one) => dueAt_ms(one) <= wall.getTime());
  if (faults.reorder) return nextPair(pending, due, wall, dueAt_ms);
  return { due, nextDueAt: instantOf(pending.slice(due.length).map(dueAt_ms)) };
}

/** The first two that are due, in reverse. One alone waits for another. */
function nextPair<One>(
  pending: readonly One[],
  due: readonly One[],
  wall: Date,
  dueAt_ms: (one: One) => number,
): Batch<One> {
  const pair = due.slice(0, PAIR);
  const [first] = pair;
  const others_ms = pending.slice(pair.length).map(dueAt_ms);
  if (first !== undefined && pair.length < PAIR) {
    const heldUntil_ms = dueAt_ms(first) + REORDER_WAIT_MS;
    if (wall.getTime() < heldUntil_ms) return { due: [], nextDueAt: instantOf([heldUntil_ms, ...others_ms]) };
  }
  return { due: pair.toReversed(), nextDueAt: instantOf(others_ms) };
}

/** The earliest of some times; null if there are none. */
function instantOf(times_ms: readonly number[]): Date | null {
  return times_ms.length === 0 ? null : new Date(Math.min(...times_ms));
}
