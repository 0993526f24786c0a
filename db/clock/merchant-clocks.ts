import type { MerchantClock } from '../../domain/merchants/merchant.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import { type Claim, claimCondition, claimParams } from '../engine/claim.ts';
import type { Database, Queryable, Tx } from '../engine/database.ts';

/** A merchant's clock. While `target` is set, a process advances it and holds a lease (wall time). */
export interface ClockRecord extends MerchantClock {
  readonly target: Date | null;
  /** The advance in progress, or the last one. A reset of the sandbox holds the clock with the id of its request. */
  readonly advanceId: string | null;
}

interface ClockRow {
  offset_ms: number;
  pinned_at: Date | null;
  target: Date | null;
  advance_id: string | null;
}

const COLUMNS = 'offset_ms, pinned_at, target, advance_id';

/**
 * The lease of the process that works on an advance. Other processes do not work on it until `leasedUntil` (wall time).
 */
export interface ClockLease {
  readonly leaseId: string;
  readonly leasedUntil: Date;
}

/** The clock; undefined if it was never moved. */
export async function findClock(q: Queryable, scope: MerchantScope): Promise<ClockRecord | undefined> {
  const row = await q.maybeOne<ClockRow>(scope, `select ${COLUMNS} from merchant_clocks where {scope}`);
  return row === undefined ? undefined : toClock(row);
}

/** The clock, locked until the transaction ends. Creates it when there is none. */
export async function lockClock(tx: Tx, scope: MerchantScope): Promise<ClockRecord> {
  const row = await tx.one<ClockRow>(
    scope,
    `insert into merchant_clocks as c (slot, merchant_id) values (:slot, :merchant_id)
     on conflict (slot, merchant_id) do update set offset_ms = c.offset_ms returning ${COLUMNS}`,
  );
  return toClock(row);
}

/** Stops a locked clock at `pinnedAt`, and stores the `target` of its advance. */
export async function startClockAdvance(
  tx: Tx,
  scope: MerchantScope,
  advance: ClockLease & { advanceId: string; pinnedAt: Date; target: Date },
): Promise<void> {
  await tx.execute(
    scope,
    `update merchant_clocks set pinned_at = :pinned_at, target = :target, advance_id = :advance_id,
       lease_id = :lease_id, leased_until = :leased_until
      where {scope}`,
    {
      pinned_at: advance.pinnedAt,
      target: advance.target,
      advance_id: advance.advanceId,
      lease_id: advance.leaseId,
      leased_until: advance.leasedUntil,
    },
  );
}

/**
 * Moves a clock of which this process holds the lease to `at`, and renews the lease. Returns false when another process
 * holds it.
 */
export async function pinClock(
  q: Queryable,
  scope: MerchantScope,
  pin: ClockLease & { at: Date },
): Promise<boolean> {
  const touched = await q.execute(
    scope,
    `update merchant_clocks set pinned_at = :at, leased_until = :leased_until
      where {scope} and lease_id = :lease_id and pinned_at <= :at`,
    { at: pin.at, lease_id: pin.leaseId, leased_until: pin.leasedUntil },
  );
  return touched === 1;
}

/** Takes over an advance whose lease has expired at `wall`. Undefined if there is none. */
export async function takeOverClock(
  q: Queryable,
  scope: MerchantScope,
  claim: ClockLease & { wall: Date },
): Promise<ClockRecord | undefined> {
  const row = await q.maybeOne<ClockRow>(
    scope,
    `update merchant_clocks set lease_id = :lease_id, leased_until = :leased_until
      where {scope} and target is not null and leased_until <= :wall returning ${COLUMNS}`,
    { lease_id: claim.leaseId, leased_until: claim.leasedUntil, wall: claim.wall },
  );
  return row === undefined ? undefined : toClock(row);
}

/** Ends our lease at `at` (wall time), so that another process can take over. */
export async function releaseClock(
  q: Queryable,
  scope: MerchantScope,
  release: { leaseId: string; at: Date },
): Promise<void> {
  await q.execute(
    scope,
    'update merchant_clocks set leased_until = :at where {scope} and lease_id = :lease_id',
    { at: release.at, lease_id: release.leaseId },
  );
}

/**
 * Ends the advance of which this process holds the lease: the clock runs again. Returns false when another process
 * holds it.
 */
export async function endClockAdvance(
  tx: Tx,
  scope: MerchantScope,
  end: { leaseId: string; offset_ms: number },
): Promise<boolean> {
  const touched = await tx.execute(
    scope,
    `update merchant_clocks set offset_ms = :offset_ms, pinned_at = null, target = null, lease_id = null,
       leased_until = null
      where {scope} and lease_id = :lease_id`,
    { offset_ms: end.offset_ms, lease_id: end.leaseId },
  );
  return touched === 1;
}

/** Slots with advances whose lease has expired at `wall`. */
export async function slotsWithAbandonedAdvances(db: Database, wall: Date): Promise<number[]> {
  const rows = await db.anywhere<{ slot: number }>(
    'select distinct slot from merchant_clocks where target is not null and leased_until <= :wall',
    { wall },
  );
  return rows.map((row) => row.slot);
}

/** Merchants of a slot with an advance whose lease has expired at `wall`, the oldest first. */
export async function listAbandonedAdvances(
  db: Database,
  slot: number,
  claim: Claim & { readonly wall: Date },
): Promise<MerchantScope[]> {
  const rows = await db.slotRows<{ merchant_id: string }>(
    slot,
    `select merchant_id from merchant_clocks
      where {slot} and target is not null and leased_until <= :wall and ${claimCondition()}
      order by leased_until limit :limit`,
    { ...claimParams(claim), wall: claim.wall },
  );
  return rows.map((row) => ({ slot, merchantId: row.merchant_id }));
}

function toClock(row: ClockRow): ClockRecord {
  return {
    offset_ms: row.offset_ms,
    pinnedAt: row.pinned_at,
    target: row.target,
    advanceId: row.advance_id,
  };
}
