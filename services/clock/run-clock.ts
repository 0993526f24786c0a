import { setTimeout as pause } from 'node:timers/promises';
import { type ClockRecord, pinClock } from '../../db/clock/merchant-clocks.ts';
import { findMerchant } from '../../db/merchants/merchants.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import { askSandbox } from '../ask-sandbox.ts';
import type { Deps } from '../deps.ts';
import { reconcileOperationsOf } from '../payments/reconcile-operations.ts';
import { earliest, nextWorkDue, runDueWork } from './clocked-work.ts';

/** How long other processes leave an advance alone after its process last moved the clock (wall time). */
export const CLOCK_LEASE_MS = 30_000;

/** Pause before something due that another worker holds is tried again. */
const HELD_PAUSE_MS = 20;

/** The lease ran out and another process has taken the advance over. */
export class ClockTakenOver extends Error {}

export interface ClockRun {
  readonly leaseId: string;
  /** Wall time at which this run stops, wherever it is. */
  readonly deadline: Date;
}

/**
 * Moves a clock that we hold the lease of from one due instant to the next, runs what is due there, ours and the
 * acquirer's, and pins it at its target. Returns whether it is there and nothing is due; false when the deadline came
 * first. If the process dies, the next run continues: an instant is left only when nothing is due there.
 */
export async function runClock(
  deps: Deps,
  scope: MerchantScope,
  clock: ClockRecord,
  run: ClockRun,
): Promise<boolean> {
  const target = clock.target!;
  let merchant = await pinnedMerchant(deps, scope, clock.pinnedAt!);
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

/** Ours is read last: the acquirer is the first to know of a new payment. */
async function whatIsDue(deps: Deps, merchant: Merchant): Promise<Due> {
  const acquirers = await askSandbox(deps, (sandbox) => sandbox.nextDue(merchant.merchantId));
  return { acquirers, ours: await nextWorkDue(deps, merchant) };
}

/** Runs what is due at the instant at which the clock is pinned. Returns how much was done. */
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

async function pinnedMerchant(deps: Deps, scope: MerchantScope, at: Date): Promise<Merchant> {
  const merchant = await findMerchant(deps.db, scope);
  if (merchant === undefined) throw new Error(`The merchant ${scope.merchantId} is gone.`);
  return { ...merchant, clock: { ...merchant.clock, pinnedAt: at } };
}

/** Pins the clock at `at` and renews the lease. Returns the merchant with that clock. */
async function moveTo(deps: Deps, merchant: Merchant, at: Date, run: ClockRun): Promise<Merchant> {
  const leasedUntil = new Date(deps.wall().getTime() + CLOCK_LEASE_MS);
  const isOurs = await pinClock(deps.db, merchant, { leaseId: run.leaseId, leasedUntil, at });
  if (!isOurs) throw new ClockTakenOver();
  return { ...merchant, clock: { ...merchant.clock, pinnedAt: at } };
}
