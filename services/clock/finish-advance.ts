import { randomUUID } from 'node:crypto';
import {
  type ClockRecord,
  endClockAdvance,
  releaseClock,
  takeOverClock,
} from '../../db/clock/merchant-clocks.ts';
import type { Tx } from '../../db/engine/database.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import { askSandbox } from '../ask-sandbox.ts';
import type { Deps } from '../deps.ts';
import { CLOCK_LEASE_MS, type ClockRun, ClockTakenOver, runClock } from './run-clock.ts';

/** How long a worker stays with one advance before it takes the next. */
const JOB_BUDGET_MS = 2_000;
/** Pause after a failure before the advance is tried again. */
const FAILURE_PAUSE_MS = 2_000;

/**
 * Runs an advance that we hold the lease of, ends it if it arrives in time, and releases it if not. `answer` runs in the
 * transaction that does either.
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
    const offset_ms = hasArrived ? await setAcquirersClock(deps, scope, clock) : null;
    return await deps.db.transaction(scope, async (tx) => {
      if (offset_ms === null) await releaseClock(tx, scope, { leaseId, at: deps.wall() });
      else await endClockAdvance(tx, scope, { leaseId, offset_ms });
      return answer(tx);
    });
  } catch (error) {
    if (error instanceof ClockTakenOver) return deps.db.transaction(scope, answer);
    const at = new Date(deps.wall().getTime() + FAILURE_PAUSE_MS);
    await releaseClock(deps.db, scope, { leaseId, at }).catch(() => {});
    throw error;
  }
}

/**
 * The offset with which the clock continues from its target; never less than before, even if the run took longer than the
 * time that it advanced. The acquirer's clock is set first: if the process dies in between, the advance ends once more.
 */
async function setAcquirersClock(deps: Deps, scope: MerchantScope, clock: ClockRecord): Promise<number> {
  const offset_ms = Math.max(clock.offset_ms, clock.target!.getTime() - deps.wall().getTime());
  await askSandbox(deps, (sandbox) => sandbox.setClock(scope.merchantId, offset_ms));
  return offset_ms;
}

/**
 * Continues an advance that no process works on, for two seconds at most. Returns whether it did: false where another
 * process has taken it over.
 */
export async function resumeAdvance(deps: Deps, scope: MerchantScope): Promise<boolean> {
  const wall = deps.wall();
  const leaseId = randomUUID();
  const leasedUntil = new Date(wall.getTime() + CLOCK_LEASE_MS);
  const clock = await takeOverClock(deps.db, scope, { leaseId, leasedUntil, wall });
  if (clock === undefined) return false;
  const deadline = new Date(wall.getTime() + JOB_BUDGET_MS);
  await finishAdvance(deps, scope, clock, { leaseId, deadline }, async () => {});
  return true;
}
