import { setTimeout as pause } from 'node:timers/promises';
import { type ClockRecord, pinClock } from '../../db/clock/merchant-clocks.ts';
import { findMerchant } from '../../db/merchants/merchants.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { Deps } from '../deps.ts';
import { reconcileOperationsOf } from '../payments/reconcile-operations.ts';
import { AcquirerSchedule } from './acquirer-schedule.ts';
import { earliest, type PlannedWork, planWork, runPlannedWork } from './clocked-work.ts';
import { StalledWork } from './stalled-work.ts';

/** How long a process holds an advance after it last moved the clock (wall time). */
export const CLOCK_LEASE_MS = 30_000;

/** Pause before due work that another worker holds is retried. */
const RETRY_PAUSE_MS = 20;

/** The lease has expired and another process has taken over the advance. */
export class ClockLeaseLost extends Error {}

export interface ClockRun {
  readonly leaseId: string;
  /** Wall time at which this run stops. */
  readonly deadline: Date;
  /** Whether the run goes on after its deadline until work that cannot be done is postponed. */
  readonly waitsForStalled: boolean;
}

/**
 * Moves a clock, of which we hold the lease, from one due instant to the next, runs the work that is due there, ours and
 * the acquirer's, and pins the clock at its target. Returns true when the clock is at its target and nothing is due, false
 * at the deadline. The clock leaves an instant only when nothing is due there, so another run can continue at any time. Work
 * that cannot be done is postponed.
 */
export async function runClock(
  deps: Deps,
  scope: MerchantScope,
  clock: ClockRecord,
  run: ClockRun,
): Promise<boolean> {
  const target = clock.target!;
  const acquirer = new AcquirerSchedule(deps, scope.merchantId);
  const stalled = new StalledWork(deps);
  let merchant = await pinnedMerchant(deps, scope, clock.pinnedAt!);
  let done = await reconcileOperationsOf(acquirer.deps, merchant);
  while (deps.wall() < run.deadline || (run.waitsForStalled && stalled.isWaiting)) {
    const at = merchant.clock.pinnedAt!;
    const due = await readDue(merchant, acquirer);
    const next = earliest([due.acquirers, ...due.ours.map((planned) => planned.due)]);
    if (next === null || next > target) {
      if (at >= target && done === 0) return true;
      merchant = await moveTo(deps, merchant, target, run);
      acquirer.forget();
      done = await reconcileOperationsOf(acquirer.deps, merchant);
      continue;
    }
    merchant = await moveTo(deps, merchant, new Date(Math.max(next.getTime(), at.getTime())), run);
    done = await runInstant(merchant, acquirer, due);
    if (done > 0 || next > at) stalled.ended();
    if (done > 0) continue;
    await stalled.noticed(merchant, due.ours);
    await pause(RETRY_PAUSE_MS);
  }
  return false;
}

interface Due {
  readonly ours: readonly PlannedWork[];
  readonly acquirers: Date | null;
}

/** The acquirer is asked first, because it knows of a new payment before we have stored it. */
async function readDue(merchant: Merchant, acquirer: AcquirerSchedule): Promise<Due> {
  const acquirers = await acquirer.nextDue();
  return { acquirers, ours: await planWork(acquirer.deps, merchant) };
}

/** Runs the work that is due at the pinned instant, ours first. Returns the number of items. */
async function runInstant(merchant: Merchant, acquirer: AcquirerSchedule, due: Due): Promise<number> {
  const at = merchant.clock.pinnedAt!;
  const done = await runPlannedWork(acquirer.deps, merchant, due.ours, at);
  if (due.acquirers === null || due.acquirers > at) return done;
  return done + (await acquirer.runDue(at));
}

async function pinnedMerchant(deps: Deps, scope: MerchantScope, at: Date): Promise<Merchant> {
  const merchant = await findMerchant(deps.db, scope);
  if (merchant === undefined) throw new Error(`The merchant ${scope.merchantId} does not exist any more.`);
  return { ...merchant, clock: { ...merchant.clock, pinnedAt: at } };
}

/** Pins the clock at `at` and renews the lease. Returns the merchant with that clock. */
async function moveTo(deps: Deps, merchant: Merchant, at: Date, run: ClockRun): Promise<Merchant> {
  const leasedUntil = new Date(deps.wall().getTime() + CLOCK_LEASE_MS);
  const isOurs = await pinClock(deps.db, merchant, { leaseId: run.leaseId, leasedUntil, at });
  if (!isOurs) throw new ClockLeaseLost();
  return { ...merchant, clock: { ...merchant.clock, pinnedAt: at } };
}
