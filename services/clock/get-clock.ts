import { findClock } from '../../db/clock/merchant-clocks.ts';
import { type Merchant, merchantNow } from '../../domain/merchants/merchant.ts';
import type { Deps } from '../deps.ts';

/** The clock as the merchant reads it. */
export interface ClockReading {
  readonly now: Date;
  /** The target of an advance in progress, or null. */
  readonly target: Date | null;
}

/** The merchant's time, and whether it is being moved. */
export async function getClock(deps: Deps, merchant: Merchant): Promise<ClockReading> {
  const clock = await findClock(deps.db, merchant);
  return { now: merchantNow(clock ?? merchant.clock, deps.wall()), target: clock?.target ?? null };
}
