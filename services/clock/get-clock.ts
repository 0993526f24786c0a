import { findClock } from '../../db/clock/merchant-clocks.ts';
import { type Merchant, merchantNow } from '../../domain/merchants/merchant.ts';
import type { Deps } from '../deps.ts';

/** A clock as its merchant reads it. */
export interface ClockReading {
  readonly now: Date;
  /** Where it is going; null while it ticks by itself. */
  readonly target: Date | null;
}

/** The merchant's time, and whether it is being moved. */
export async function getClock(deps: Deps, merchant: Merchant): Promise<ClockReading> {
  const clock = await findClock(deps.db, merchant);
  return { now: merchantNow(clock ?? merchant.clock, deps.wall()), target: clock?.target ?? null };
}
