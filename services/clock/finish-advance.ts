import { randomUUID } from 'node:crypto';
import { type ClockRecord, endClockAdvance, releaseClock } from '../../db/clock/merchant-clocks.ts';
import type { Tx } from '../../db/engine/database.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import { callSandbox } from '../call-sandbox.ts';
import type { Deps } from '../deps.ts';
import { CLOCK_LEASE_MS, ClockLeaseLost, type ClockRun, runClock } from './run-clock.ts';
import { takeOverAdvance } from './take-over-advance.ts';

/** How long a worker works on one advance before it takes the next one. */
const JOB_BUDGET_MS = 2_000;
/** Pause after a failure before the advance is retried. */
const FAILURE_PAUSE_MS = 2_000;

/**
 * Runs an advance of which we hold the lease. Ends it when the clock arrives before the deadline, otherwise releases
 * it. `answer` runs in the transaction that does this.
 */
export async function finishAdvance<Answer>(
  deps: Deps,
  scope: MerchantScope,
  clock: ClockRecord,
  run: ClockRun,
  answer: (tx: Tx) => Promise<Answer>,
): Promise<Answer> {
  const { leaseId } = run;
  try {
    const hasArrived = await runClock(deps, scope, clock, run);
    const offset_ms = hasArrived ? await setAcquirerClock(deps, scope, clock) : null;
    return await deps.db.transaction(scope, async (tx) => {
      if (offset_ms === null) await releaseClock(tx, scope, { leaseId, at: deps.wall() });
      else await endClockAdvance(tx, scope, { leaseId, offset_ms });
      return answer(tx);
    });
  } catch (error) {
    if (error instanceof ClockLeaseLost) return deps.db.transaction(scope, answer);
    const at = new Date(deps.wall().getTime() + FAILURE_PAUSE_MS);
    await releaseClock(deps.db, scope, { leaseId, at }).catch(() => {});
    throw error;
  }
}

/**
 * Lets the acquirer's clock continue from the target of the advance, and returns the offset with which ours continues.
 * The offset never decreases, even if the run took longer than the time that it advanced. The acquirer's clock is set
 * first: if the process dies in between, another process does both again.
 */
async function setAcquirerClock(deps: Deps, scope: MerchantScope, clock: ClockRecord): Promise<number> {
  const offset_ms = Math.max(clock.offset_ms, clock.target!.getTime() - deps.wall().getTime());
  await callSandbox(deps, (sandbox) => sandbox.setClock(scope.merchantId, offset_ms));
  return offset_ms;
}

/**
 * Continues an advance that no process works on, for two seconds, or until work that cannot be done is postponed.
 * Returns false when another process has taken it over.
 */
export async function resumeAdvance(deps: Deps, scope: MerchantScope): Promise<boolean> {
  const wall = deps.wall();
  const leaseId = randomUUID();
  const leasedUntil = new Date(wall.getTime() + CLOCK_LEASE_MS);
  const lease = { leaseId, leasedUntil, wall };
  const clock = await deps.db.transaction(scope, (tx) => takeOverAdvance(tx, scope, lease));
  if (clock === undefined) return false;
  const deadline = new Date(wall.getTime() + JOB_BUDGET_MS);
  await finishAdvance(deps, scope, clock, { leaseId, deadline, waitsForStalled: true }, async () => {});
  return true;
}
