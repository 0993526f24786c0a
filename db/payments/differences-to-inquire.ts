import type { MerchantScope } from '../../domain/scope.ts';
import { type Claim, claimCondition, claimParams } from '../engine/claim.ts';
import type { Database, Queryable, Tx } from '../engine/database.ts';

/** An open discrepancy of a settlement file about whose payment the acquirer is to be asked. */
export interface DifferenceToInquire extends MerchantScope {
  readonly id: string;
  /** The reference in the line: of a payment, of a refund, or unknown to us. */
  readonly reference: string;
  /** When the acquirer was first asked (wall time). */
  readonly firstInquiredAt: Date;
}

/** Slots that have such discrepancies at `wall`. Called once per process and round. */
export async function slotsWithDifferencesToInquire(db: Database, wall: Date): Promise<number[]> {
  const rows = await db.anywhere<{ slot: number }>(
    'select distinct slot from discrepancies where inquire_at <= :wall',
    { wall },
  );
  return rows.map(({ slot }) => slot);
}

interface ClaimedRow {
  merchant_id: string;
  id: string;
  reference: string;
  first_inquired_at: Date;
}

/** Claims them in one slot: other processes do not find them before `leasedUntil` (wall time). */
export async function claimDifferencesToInquire(
  db: Database,
  slot: number,
  claim: Claim & { readonly wall: Date; readonly leasedUntil: Date },
): Promise<DifferenceToInquire[]> {
  const rows = await db.slotRows<ClaimedRow>(
    slot,
    `with due as materialized (
       select slot, merchant_id, id from discrepancies
        where {slot} and inquire_at is not null and inquire_at <= :wall and ${claimCondition()}
        order by inquire_at, id limit :limit for update skip locked)
     update discrepancies d
        set inquire_at = :leased_until, first_inquired_at = coalesce(d.first_inquired_at, :wall)
       from due where {slot:d} and d.merchant_id = due.merchant_id and d.id = due.id
     returning d.merchant_id, d.id, d.reference, d.first_inquired_at`,
    { ...claimParams(claim), wall: claim.wall, leased_until: claim.leasedUntil },
  );
  return rows.map((row) => ({
    slot,
    merchantId: row.merchant_id,
    id: row.id,
    reference: row.reference,
    firstInquiredAt: row.first_inquired_at,
  }));
}

/** The acquirer is not asked about a discrepancy any more. */
export async function endInquiries(q: Queryable, scope: MerchantScope, id: string): Promise<void> {
  await q.execute(scope, 'update discrepancies set inquire_at = null where {scope} and id = :id', { id });
}

/** The acquirer is asked at `at` (wall time), as for the first time, about an open discrepancy with ended inquiries. */
export async function inquireAgain(tx: Tx, scope: MerchantScope, reportKey: string, at: Date): Promise<void> {
  await tx.execute(
    scope,
    `update discrepancies set inquire_at = :at, first_inquired_at = null
      where {scope} and report_key = :report_key and status = 'open' and inquire_at is null`,
    { report_key: reportKey, at },
  );
}
