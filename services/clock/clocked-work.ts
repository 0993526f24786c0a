import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { Deps } from '../deps.ts';

/** When the next work of the merchant's clock is due, or null. */
export async function nextWorkDue(deps: Deps, merchant: Merchant): Promise<Date | null> {
  const dues = await Promise.all(deps.clockedWork.map((work) => work.nextDue(deps, merchant)));
  return earliest(dues);
}

/** Runs all due work. Returns the number of items. */
export async function runDueWork(deps: Deps, merchant: Merchant): Promise<number> {
  let done = 0;
  for (const work of deps.clockedWork) done += await work.runDue(deps, merchant);
  return done;
}

/** The earliest instant that is not null, or null. */
export function earliest(instants: readonly (Date | null)[]): Date | null {
  const times = instants.filter((instant) => instant !== null).map((instant) => instant.getTime());
  return times.length === 0 ? null : new Date(Math.min(...times));
}
