import type { MerchantScope } from '../domain/scope.ts';
import type { Database } from './engine/database.ts';
import { firstIdAt } from './engine/ids-by-time.ts';

/** A table whose rows expire. */
export interface ExpiringRows {
  readonly table: string;
  /** Its columns that, after slot and merchant, identify a row. */
  readonly key: string;
  /** The column with the time at which a row expires. */
  readonly expiresAt: string;
  /**
   * What comes before `expiresAt` in an index: the slot, or slot and merchant. With the merchant, expired rows are
   * looked up merchant by merchant, so that a table with such an index for its list needs no other.
   */
  readonly indexedBy: 'slot' | 'merchant';
  /** It has rows of no merchant, which are in any slot. The table is small. */
  readonly isInAnySlot?: boolean;
  /** Ids (`key`) were made at `expiresAt` (UUID version 7), and expired rows are looked up by them. */
  readonly hasIdsByTime?: boolean;
  /**
   * A table whose rows are deleted with those that they name in `column`. An index of it leads with slot, merchant and
   * `column`.
   */
  readonly withRows?: { readonly table: string; readonly column: string };
}

/** The slots in which a small table has rows. */
export async function slotsOfRows(db: Database, { table }: ExpiringRows): Promise<number[]> {
  const rows = await db.anywhere<{ slot: number }>(`select distinct slot from ${table}`);
  return rows.map(({ slot }) => slot);
}

/**
 * Deletes at most `limit` rows of one slot that expired by `before` (wall time). Returns the merchant of each deleted
 * row.
 */
export async function deleteExpired(
  db: Database,
  slot: number,
  batch: { readonly table: ExpiringRows; readonly before: Date; readonly limit: number },
): Promise<MerchantScope[]> {
  const { table, before, limit } = batch;
  const rows = await db.slotRows<{ merchant_id: string }>(slot, deletion(table), { before, limit });
  return rows.map((row) => ({ slot, merchantId: row.merchant_id }));
}

function deletion(expiring: ExpiringRows): string {
  const { table, key, withRows } = expiring;
  const rows = `
    with expired as materialized (${expired(expiring)}),
    deleted as (
      delete from ${table} where {slot} and (merchant_id, ${key}) in (select * from expired)
      returning merchant_id, ${key})`;
  if (withRows === undefined) return `${rows} select merchant_id from deleted`;
  return `${rows},
    deleted_with_them as (
      delete from ${withRows.table} w using deleted
       where {slot:w} and w.merchant_id = deleted.merchant_id and w.${withRows.column} = deleted.${key})
    select merchant_id from deleted`;
}

/** Rows that another transaction holds are skipped, and deleted by a later run. */
function expired({ table, key, expiresAt, indexedBy, hasIdsByTime }: ExpiringRows): string {
  if (indexedBy === 'slot') {
    return `select merchant_id, ${key} from ${table} where {slot} and ${expiresAt} <= :before
             limit :limit for update skip locked`;
  }
  const [isExpired, order] = hasIdsByTime
    ? [`t.${key} < ${firstIdAt('cast(:before as timestamptz)')}`, key]
    : [`t.${expiresAt} <= :before`, expiresAt];
  return `
    select old.* from merchants m cross join lateral (
      select t.merchant_id, t.${key} from ${table} t
       where {slot:t} and t.merchant_id = m.merchant_id and ${isExpired}
       order by t.${order} limit :limit for update skip locked) old
     where {slot:m} limit :limit`;
}
