import { lastStepAt } from '../../db/clock/clock-advances.ts';
import {
  type ClockLease,
  type ClockRecord,
  pinClock,
  takeOverClock,
} from '../../db/clock/merchant-clocks.ts';
import type { Tx } from '../../db/engine/database.ts';
import { lastEventAt } from '../../db/events/events.ts';
import type { MerchantScope } from '../../domain/scope.ts';

/**
 * Takes over an advance whose lease has expired; undefined if there is none. The clock continues after the time of the
 * last event and of the last step: ids that two processes make at the same time do not sort in the order in which they
 * were made.
 */
export async function takeOverAdvance(
  tx: Tx,
  scope: MerchantScope,
  lease: ClockLease & { readonly wall: Date },
): Promise<ClockRecord | undefined> {
  const clock = await takeOverClock(tx, scope, lease);
  if (clock === undefined) return undefined;
  const { pinnedAt, target, advanceId } = clock;
  const afterEvents = instantAfter(pinnedAt!, await lastEventAt(tx, scope), target!);
  const at = instantAfter(afterEvents, await lastStepAt(tx, scope, advanceId!), target!);
  await pinClock(tx, scope, { ...lease, at });
  return { ...clock, pinnedAt: at };
}

/** The first instant from `at` on that is later than `last`, up to `target`. */
export function instantAfter(at: Date, last: Date | null, target: Date): Date {
  const first_ms = Math.max(at.getTime(), last === null ? 0 : last.getTime() + 1);
  return new Date(Math.min(first_ms, target.getTime()));
}
