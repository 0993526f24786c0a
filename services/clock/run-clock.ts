import { setTimeout as pause } from 'node:timers/promises';
import { type ClockRecord, pinClock } from '../../db/clock/merchant-clocks.ts';
import { findMerchant } from '../../db/merchants/merchants.ts';
import { earliest } from '../../domain/instants.ts';
import type { Merchant } from '../../domain/merchants/merchant.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import type { Deps } from '../deps.ts';
import { reconcileEvidenceOf } from '../disputes/reconcile-evidence.ts';
import { reconcileOperationsOf } from '../payments/reconcile-operations.ts';
import { AcquirerSchedule } from './acquirer-schedule.ts';
import { type PlannedWork, planWork, runPlannedWork } from './clocked-work.ts';
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
  /** Whether the run continues after its deadline until work that cannot be done is postponed. */
  readonly waitsForStalled: boolean;
}

/**
 * Moves a clock, of which we hold the lease, from one due instant to the next, runs the work that is due there, ours
 * and the acquirer's, and pins the clock at its target. Returns true when the clock is at its target and nothing is
 * due, false at the deadline. The clock leaves an instant only when nothing is due there, so another run can continue
 * at any time. Work that cannot be done is postponed.
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
  let at = clock.pinnedAt!;
  const reconcile = async () =>
    (await reconcileOperationsOf(acquirer.deps, scope)) + (await reconcileEvidenceOf(acquirer.deps, scope));
  let done = await reconcile();
  while (deps.wall() < run.deadline || (run.waitsForStalled && stalled.isWaiting)) {
    const { merchant, ...due } = await readDue(scope, acquirer, at);
    const next = earliest([due.acquirers, ...due.ours.map((planned) => planned.due)]);
    if (next === null || next > target) {
      if (at >= target && done === 0) return true;
      at = await moveTo(deps, scope, target, run);
      acquirer.forget();
      done = await reconcile();
      continue;
    }
    if (next > at) stalled.clear();
    at = await moveTo(deps, scope, next > at ? next : at, run);
    const moved = pinnedAt(merchant, at);
    done = await runInstant(moved, acquirer, due);
    if (done > 0) {
      stalled.clear();
      continue;
    }
    await stalled.reportStall(moved, due.ours);
    await pause(RETRY_PAUSE_MS);
  }
  return false;
}

interface Due {
  readonly ours: readonly PlannedWork[];
  readonly acquirers: Date | null;
}

/**
 * What is due, and the merchant, who may be suspended while the clock is advanced. The acquirer is asked before our
 * work is planned, because it knows of a new payment before we have stored it.
 */
async function readDue(
  scope: MerchantScope,
  acquirer: AcquirerSchedule,
  at: Date,
): Promise<Due & { readonly merchant: Merchant }> {
  const { deps } = acquirer;
  const [acquirers, found] = await Promise.all([acquirer.nextDue(), findMerchant(deps.db, scope)]);
  if (found === undefined) throw new Error(`The merchant ${scope.merchantId} does not exist any more.`);
  const merchant = pinnedAt(found, at);
  return { merchant, acquirers, ours: await planWork(deps, merchant) };
}

/** Runs the work that is due at the pinned instant, ours first. Returns the number of items. */
async function runInstant(merchant: Merchant, acquirer: AcquirerSchedule, due: Due): Promise<number> {
  const at = merchant.clock.pinnedAt!;
  const done = await runPlannedWork(acquirer.deps, merchant, due.ours, at);
  if (due.acquirers === null || due.acquirers > at) return done;
  return done + (await acquirer.runDue(at));
}

function pinnedAt(merchant: Merchant, at: Date): Merchant {
  return { ...merchant, clock: { ...merchant.clock, pinnedAt: at } };
}

/** Pins the clock at `at` and renews the lease. Returns `at`. */
async function moveTo(deps: Deps, scope: MerchantScope, at: Date, run: ClockRun): Promise<Date> {
  const leasedUntil = new Date(deps.wall().getTime() + CLOCK_LEASE_MS);
  const isOurs = await pinClock(deps.db, scope, { leaseId: run.leaseId, leasedUntil, at });
  if (!isOurs) throw new ClockLeaseLost();
  return at;
}
