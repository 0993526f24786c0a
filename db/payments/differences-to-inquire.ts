import type { MerchantScope } from '../../domain/scope.ts';
import { type Claim, claimCondition, claimParams } from '../engine/claim.ts';
import type { Database, Queryable } from '../engine/database.ts';

/** An open discrepancy of a settlement file about whose payment the acquirer is to be asked. */
export interface DifferenceToInquire extends MerchantScope {
  readonly id: string;
  /** The reference that the line names: of a payment or a refund, or unknown. */
  readonly reference: string;
  readonly createdAt: Date;
  /** Whether the acquirer was asked before. */
  readonly isRepeated: boolean;
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
  created_at: Date;
  is_repeated: boolean;
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
       select slot, merchant_id, id, inquire_at from discrepancies
        where {slot} and inquire_at is not null and inquire_at <= :wall and ${claimCondition()}
        order by inquire_at, id limit :limit for update skip locked)
     update discrepancies d set inquire_at = :leased_until
       from due where {slot:d} and d.merchant_id = due.merchant_id and d.id = due.id
     returning d.merchant_id, d.id, d.reference, d.created_at, due.inquire_at > d.created_at as is_repeated`,
    { ...claimParams(claim), wall: claim.wall, leased_until: claim.leasedUntil },
  );
  return rows.map((row) => ({
    slot,
    merchantId: row.merchant_id,
    id: row.id,
    reference: row.reference,
    createdAt: row.created_at,
    isRepeated: row.is_repeated,
  }));
}

/** The acquirer is not asked about a discrepancy any more. */
export async function endInquiries(q: Queryable, scope: MerchantScope, id: string): Promise<void> {
  await q.execute(scope, 'update discrepancies set inquire_at = null where {scope} and id = :id', { id });
}
