import { readSteps } from '../../db/clock/clock-advances.ts';
import { findClock } from '../../db/clock/merchant-clocks.ts';
import type { Queryable } from '../../db/engine/database.ts';
import { readEventsBetween } from '../../db/events/events.ts';
import type { ClockAdvance, ClockStep } from '../../domain/clock/clock-advance.ts';
import type { MerchantScope } from '../../domain/scope.ts';

/** The progress of an advance. Times are in the merchant's time. */
export interface AdvancedClock {
  readonly now: Date;
  /** Null when the advance is finished. */
  readonly target: Date | null;
  readonly steps: Listed<ClockStep>;
  readonly events: Listed<{ readonly id: string; readonly event: string; readonly createdAt: Date }>;
}

interface Listed<Item> {
  readonly total: number;
  /** The first items, at most `MAX_LISTED`. */
  readonly first: readonly Item[];
}

const MAX_LISTED = 1_000;

/** Reads how far an advance has come, its steps, and the events in its time. */
export async function readAdvance(
  q: Queryable,
  scope: MerchantScope,
  advance: ClockAdvance,
): Promise<AdvancedClock> {
  const clock = await findClock(q, scope);
  const isOpen = clock !== undefined && clock.target !== null && clock.advanceId === advance.id;
  const now = isOpen ? clock.pinnedAt! : advance.target;
  return {
    now,
    target: isOpen ? advance.target : null,
    steps: await readSteps(q, scope, advance.id, MAX_LISTED),
    events: await readEventsBetween(q, scope, { from: advance.begunAt, to: now, limit: MAX_LISTED }),
  };
}
