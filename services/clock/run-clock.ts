import { setTimeout as pause } from 'node:timers/promises';
import { type ClockRecord, pinClock } from '../../db/clock/merchant-clocks.ts';
import { findMerchant } from '../../db/merchants/merchants.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import { askSandbox } from '../ask-sandbox.ts';
import type { Deps } from '../deps.ts';
import { reconcileOperationsOf } from '../payments/reconcile-operations.ts';
import { earliest, nextWorkDue, runDueWork } from './clocked-work.ts';

/** How long an advance is left to the process that works on it, since that last moved the clock (wall time). */
export const CLOCK_LEASE_MS = 30_000;

/** When something due is held by another worker, it is looked at again after this. */
const HELD_PAUSE_MS = 20;

/** The lease ran out and another process has taken the advance over. */
export class ClockTakenOver extends Error {}

export interface ClockRun {
  readonly leaseId: string;
  /** Wall time at which this run stops, wherever it is. */
  readonly deadline: Date;
}

/**
 * Moves a clock under our lease from due instant to due instant, runs at each what is due there, ours and the
 * acquirer's, and stands it at its target. Resolves to whether it is there and all is quiet; false when the time was
 * over first. Whatever it dies between, the next run does: an instant is left only when nothing is due there.
 */
export async function runClock(
  deps: Deps,
  scope: MerchantScope,
  clock: ClockRecord,
  run: ClockRun,
): Promise<boolean> {
  const target = clock.target!;
  let merchant = await standing(deps, scope, clock.pinnedAt!);
  let done = await reconcileOperationsOf(deps, merchant);
  while (deps.wall() < run.deadline) {
    const at = merchant.clock.pinnedAt!;
    const due = await whatIsDue(deps, merchant);
    const next = earliest([due.ours, due.acquirers]);
    if (next === null || next > target) {
      if (at >= target && done === 0) return true;
      merchant = await moveTo(deps, merchant, target, run);
      done = await reconcileOperationsOf(deps, merchant);
      continue;
    }
    merchant = await moveTo(deps, merchant, new Date(Math.max(next.getTime(), at.getTime())), run);
    done = await runInstant(deps, merchant, due);
    if (done === 0) await pause(HELD_PAUSE_MS);
  }
  return false;
}

interface Due {
  readonly ours: Date | null;
  readonly acquirers: Date | null;
}

/** Ours is looked at last: of a payment that is just being made, the acquirer knows first. */
async function whatIsDue(deps: Deps, merchant: Merchant): Promise<Due> {
  const acquirers = await askSandbox(deps, (sandbox) => sandbox.nextDue(merchant.merchantId));
  return { acquirers, ours: await nextWorkDue(deps, merchant) };
}

/** What is due at the instant at which the clock stands; resolves to how much was done. */
async function runInstant(deps: Deps, merchant: Merchant, due: Due): Promise<number> {
  const at = merchant.clock.pinnedAt!;
  let done = 0;
  if (due.ours !== null && due.ours <= at) done += await runDueWork(deps, merchant);
  if (due.acquirers !== null && due.acquirers <= at) {
    const { delivered } = await askSandbox(deps, (sandbox) => sandbox.runDue(merchant.merchantId, at));
    done += delivered;
  }
  return done;
}

async function standing(deps: Deps, scope: MerchantScope, at: Date): Promise<Merchant> {
  const merchant = await findMerchant(deps.db, scope);
  if (merchant === undefined) throw new Error(`The merchant ${scope.merchantId} is gone.`);
  return { ...merchant, clock: { ...merchant.clock, pinnedAt: at } };
}

/** The merchant with its clock standing at `at`; the lease is renewed. */
async function moveTo(deps: Deps, merchant: Merchant, at: Date, run: ClockRun): Promise<Merchant> {
  const leasedUntil = new Date(deps.wall().getTime() + CLOCK_LEASE_MS);
  const isOurs = await pinClock(deps.db, merchant, { leaseId: run.leaseId, leasedUntil, at });
  if (!isOurs) throw new ClockTakenOver();
  return { ...merchant, clock: { ...merchant.clock, pinnedAt: at } };
}
