import type { PaymentOperation } from '../../domain/payments/payment-operation.ts';
import type { MerchantScope } from '../../domain/scope.ts';
import { type CheckClaim, isCheckDue } from '../due-checks.ts';
import { claimCondition, claimParams } from '../engine/claim.ts';
import type { Database, Queryable } from '../engine/database.ts';
import { OPERATION_COLUMNS, type OperationRow, toOperation } from './payment-operations.ts';

/** Sets when the reconciler asks about an open operation again (wall time). Returns false if it is settled. */
export async function postponeOperation(
  q: Queryable,
  scope: MerchantScope,
  id: string,
  checkAt: Date,
): Promise<boolean> {
  const touched = await q.execute(
    scope,
    `update payment_operations set check_at = :check_at where {scope} and id = :id and state = 'pending'`,
    { id, check_at: checkAt },
  );
  return touched === 1;
}

/** Slots with operations that are due by `until` (wall time). Called once per process and round. */
export async function slotsWithOpenOperations(db: Database, until: Date): Promise<number[]> {
  const rows = await db.anywhere<{ slot: number }>(
    `select distinct slot from payment_operations where state = 'pending' and check_at <= :until`,
    { until },
  );
  return rows.map((row) => row.slot);
}

export interface OpenOperation extends MerchantScope {
  readonly operation: PaymentOperation;
}

/**
 * Claims open operations of one slot that are due by `until`, the longest due first. No other worker gets them before
 * `leasedUntil` (both wall time).
 */
export async function claimOpenOperations(
  db: Database,
  slot: number,
  claim: CheckClaim,
): Promise<OpenOperation[]> {
  const rows = await db.slotRows<OperationRow>(
    slot,
    `with claimed as materialized (
       select slot, merchant_id, id from payment_operations
        where {slot} and state = 'pending' and ${claimCondition()}
          and ${isCheckDue('payment_operations', claim.isAdvance)}
        order by check_at limit :limit for update skip locked)
     update payment_operations o set check_at = :leased_until, attempts = o.attempts + 1
       from claimed c
      where {slot:o} and o.merchant_id = c.merchant_id and o.id = c.id
     returning ${OPERATION_COLUMNS.split(', ')
       .map((column) => `o.${column}`)
       .join(', ')}`,
    { ...claimParams(claim), until: claim.until, leased_until: claim.leasedUntil },
  );
  return rows.map((row) => ({
    slot: row.slot,
    merchantId: row.merchant_id,
    operation: toOperation(row),
  }));
}
