import { randomUUID } from 'node:crypto';
import { deleteAdvances, findAdvance, insertAdvance } from '../../db/clock/clock-advances.ts';
import { type ClockRecord, lockClock, startClockAdvance } from '../../db/clock/merchant-clocks.ts';
import type { Tx } from '../../db/engine/database.ts';
import { lastEventAt } from '../../db/events/events.ts';
import type { ClockAdvance } from '../../domain/clock/clock-advance.ts';
import { DAY_MS } from '../../domain/durations.ts';
import { microsOf } from '../../domain/iso-instant.ts';
import { type Merchant, merchantNow } from '../../domain/merchants/merchant.ts';
import type { Deps, Finish, TransactionContext } from '../deps.ts';
import { invalid, Refusal } from '../refusal.ts';
import { type AdvancedClock, readAdvance } from './advanced-clock.ts';
import { finishAdvance } from './finish-advance.ts';
import { CLOCK_LEASE_MS } from './run-clock.ts';
import { instantAfter, takeOverAdvance } from './take-over-advance.ts';

export type { AdvancedClock };

/** How far to move the clock. The contract allows exactly one of the two. */
export interface ClockMove {
  /** ISO 8601. */
  readonly to: string | null;
  /** Days of 24 hours. */
  readonly days: number | null;
}

const MAX_YEARS = 5;
/** Later times could need a year of five digits. */
const LATEST_TARGET = new Date('9900-01-01T00:00:00Z');
/** How long the request works on the advance. Then it answers, and a job continues. */
const REQUEST_BUDGET_MS = 20_000;
/** Advances are stored as long as their requests can be repeated. */
const ADVANCE_RETENTION_MS = DAY_MS;

/**
 * Moves the merchant's clock forward and runs all work that falls due, each item at its own time. Returns when no work
 * is left, or after a time limit, when a job continues. The result has a `target` in the second case. Refusals:
 * `clock_advancing`, fields `to` and `days`, `unavailable`.
 */
export async function advanceClock<Answer>(
  deps: Deps,
  merchant: Merchant,
  input: ClockMove & { readonly id: string; readonly isRerun: boolean },
  finish: Finish<AdvancedClock, Answer>,
): Promise<Answer> {
  const leaseId = randomUUID();
  const { advance, clock } = await deps.db.transaction(merchant, (tx) =>
    begin({ deps, tx, merchant }, input, leaseId),
  );
  const answer: (tx: Tx) => Promise<Answer> = async (tx) =>
    finish(tx, await readAdvance(tx, merchant, advance));
  // An earlier run of this request began the advance. It is finished, or another process works on it.
  if (clock === undefined) return deps.db.transaction(merchant, answer);
  const deadline = new Date(deps.wall().getTime() + REQUEST_BUDGET_MS);
  return finishAdvance(deps, merchant, clock, { leaseId, deadline, waitsForStalled: false }, answer);
}

interface BegunAdvance {
  readonly advance: ClockAdvance;
  /** The clock of which we hold the lease; undefined if there is nothing to do. */
  readonly clock: ClockRecord | undefined;
}

async function begin(
  { deps, tx, merchant }: TransactionContext,
  input: ClockMove & { readonly id: string; readonly isRerun: boolean },
  leaseId: string,
): Promise<BegunAdvance> {
  const { id } = input;
  const wall = deps.wall();
  const leasedUntil = new Date(wall.getTime() + CLOCK_LEASE_MS);
  const clock = await lockClock(tx, merchant);
  const earlier = input.isRerun ? await findAdvance(tx, merchant, id) : undefined;
  if (earlier !== undefined) {
    const isOpen = clock.target !== null && clock.advanceId === id;
    const taken = isOpen ? await takeOverAdvance(tx, merchant, { leaseId, leasedUntil, wall }) : undefined;
    return { advance: earlier, clock: taken };
  }
  if (clock.target !== null) throw clockAdvancing();
  const now = merchantNow(clock, wall);
  const target = targetOf(input, now);
  // Later than every event, so that the events of the advance can be found by time.
  const begunAt = instantAfter(now, await lastEventAt(tx, merchant), target);
  await startClockAdvance(tx, merchant, { leaseId, leasedUntil, advanceId: id, pinnedAt: begunAt, target });
  await deleteAdvances(tx, merchant, new Date(wall.getTime() - ADVANCE_RETENTION_MS));
  await insertAdvance(tx, merchant, { id, begunAt, target, createdAt: wall });
  return {
    advance: { id, begunAt, target },
    clock: { ...clock, pinnedAt: begunAt, target, advanceId: id },
  };
}

/** The target of the move. Refuses `to` or `days` if it is not in the future, too far, or not a date. */
function targetOf(move: ClockMove, now: Date): Date {
  const path = move.to === null ? 'days' : 'to';
  const target = move.to === null ? new Date(now.getTime() + (move.days ?? 0) * DAY_MS) : instantOf(move.to);
  if (target <= now) throw invalid({ [path]: 'Must be after the present time of the clock.' });
  const latest = new Date(now);
  latest.setUTCFullYear(now.getUTCFullYear() + MAX_YEARS);
  if (target > latest) {
    throw invalid({ [path]: `Must be at most ${MAX_YEARS} years after the present time of the clock.` });
  }
  if (target >= LATEST_TARGET) throw invalid({ [path]: 'Must be before the year 9900.' });
  return target;
}

function instantOf(text: string): Date {
  const micros = microsOf(text);
  if (micros === null) throw invalid({ to: 'Must be an ISO 8601 date and time with its offset.' });
  return new Date(Number(micros / 1000n));
}

/** The refusal of a second advance. */
export function clockAdvancing(): Refusal {
  return new Refusal('clock_advancing', {
    message: 'The clock is already advancing.',
    retryAfter_s: 1,
  });
}
