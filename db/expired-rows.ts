import type { MerchantScope } from '../domain/scope.ts';
import type { Database } from './engine/database.ts';

/** A table whose rows expire. `key`: its columns that, after slot and merchant, identify a row. */
export interface ExpiringRows {
  readonly table: string;
  readonly key: string;
  /** The column with the time at which a row expires. */
  readonly expiresAt: string;
}

/**
 * Deletes at most `limit` rows of one slot that expired by `before` (wall time). Returns the merchant of each deleted row.
 */
export async function deleteExpired(
  db: Database,
  slot: number,
  batch: { readonly table: ExpiringRows; readonly before: Date; readonly limit: number },
): Promise<MerchantScope[]> {
  const { table, key, expiresAt } = batch.table;
  const rows = await db.slotRows<{ merchant_id: string }>(
    slot,
    `delete from ${table} where {slot} and (merchant_id, ${key}) in (
       select merchant_id, ${key} from ${table} where {slot} and ${expiresAt} <= :before limit :limit)
     returning merchant_id`,
    { before: batch.before, limit: batch.limit },
  );
  return rows.map((row) => ({ slot, merchantId: row.merchant_id }));
}

/** Slots with at least one merchant. */
export async function usedSlots(db: Database): Promise<number[]> {
  const rows = await db.anywhere<{ slot: number }>('select distinct slot from merchants');
  return rows.map((row) => row.slot);
}
