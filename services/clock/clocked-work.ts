import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { Deps } from '../deps.ts';
import { expirePaymentsOf, nextPaymentExpiry } from '../payments/expire-payments.ts';

/** Work of ours that falls due by a merchant's clock. */
export interface ClockedWork {
  /** When the next of it is due, by the merchant's clock; null when nothing is planned. */
  nextDue(deps: Deps, merchant: Merchant): Promise<Date | null>;
  /**
   * Does what is due by the merchant's clock as it stands, each thing in a transaction that finds it still to be
   * done, and notes it as a step (`recordClockStep`). Work that asks the acquirer settles its own lost answers
   * (`reconcileOperationsOf`) before it resolves, to how much it did.
   */
  runDue(deps: Deps, merchant: Merchant): Promise<number>;
}

/** All of it, in the order in which it runs at one instant. Whatever is to follow a moved clock is listed here. */
const CLOCKED_WORK: readonly ClockedWork[] = [{ nextDue: nextPaymentExpiry, runDue: expirePaymentsOf }];

/** The earliest due time of all, or null. */
export async function nextWorkDue(deps: Deps, merchant: Merchant): Promise<Date | null> {
  const dues = await Promise.all(CLOCKED_WORK.map((work) => work.nextDue(deps, merchant)));
  return earliest(dues);
}

/** Runs all that is due; resolves to how much that was. */
export async function runDueWork(deps: Deps, merchant: Merchant): Promise<number> {
  let done = 0;
  for (const work of CLOCKED_WORK) done += await work.runDue(deps, merchant);
  return done;
}

/** The first of the instants that are there, or null. */
export function earliest(instants: readonly (Date | null)[]): Date | null {
  const times = instants.filter((instant) => instant !== null).map((instant) => instant.getTime());
  return times.length === 0 ? null : new Date(Math.min(...times));
}
