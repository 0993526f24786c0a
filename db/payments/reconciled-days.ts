import type { MerchantScope } from '../../domain/scope.ts';
import { type Claim, claimCondition, claimParams } from '../engine/claim.ts';
import type { Database, Tx } from '../engine/database.ts';

/** A merchant whose settlement file of a day is to be compared with the ledger. */
export interface UnreconciledDay extends MerchantScope {
  /** `YYYY-MM-DD`, São Paulo. */
  readonly day: string;
}

export interface DayClaim extends Claim {
  /** The last day whose file is complete. */
  readonly until: string;
  readonly wall: Date;
  readonly leasedUntil: Date;
}

/**
 * Claims for each of at most `limit` merchants of a slot the day after its last reconciled one. A merchant that was
 * never reconciled begins with the day `until`.
 */
export async function claimUnreconciledDays(
  db: Database,
  slot: number,
  { until, wall, leasedUntil, ...claim }: DayClaim,
): Promise<UnreconciledDay[]> {
  const rows = await db.slotRows<{ merchant_id: string; day: string }>(
    slot,
    `insert into reconciled_days as r (slot, merchant_id, day, leased_until)
     select m.slot, m.merchant_id, coalesce(d.day, cast(:until as date) - 1), :leased_until
       from merchants m
       left join reconciled_days d on {slot:d} and d.slot = m.slot and d.merchant_id = m.merchant_id
      where {slot:m} and ${claimCondition('m')}
        and (d.day is null or (d.day < :until and d.leased_until <= :wall))
      order by m.merchant_id limit :limit
     on conflict (slot, merchant_id) do update set leased_until = excluded.leased_until
      where r.day = excluded.day and r.leased_until <= :wall
     returning merchant_id, day + 1 as day`,
    { ...claimParams(claim), until, wall, leased_until: leasedUntil },
  );
  return rows.map((row) => ({ slot, merchantId: row.merchant_id, day: row.day }));
}

/**
 * Records that a day was compared, if it is the next one of the merchant: other days are compared again, and no day is
 * skipped.
 */
export async function markDayReconciled(
  tx: Tx,
  scope: MerchantScope,
  { day, wall }: { readonly day: string; readonly wall: Date },
): Promise<void> {
  await tx.execute(
    scope,
    `update reconciled_days set day = :day, leased_until = :wall
      where {scope} and day = cast(:day as date) - 1`,
    { day, wall },
  );
}

/** How many merchants have not been compared until `day`, of those that were compared before. */
export async function countUnreconciledOn(db: Database, day: string): Promise<number> {
  const [row] = await db.anywhere<{ count: number }>(
    'select count(*)::int as count from reconciled_days where day < :day',
    { day },
  );
  return row!.count;
}
