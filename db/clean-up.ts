import type { MerchantScope } from '../domain/scope.ts';
import type { Database } from './engine/database.ts';

/** Expired rows, by table. They are deleted in small batches, one slot at a time. */
const EXPIRED = {
  idempotency_keys: { key: 'key', condition: 'expires_at <= :before' },
  acquirer_notifications: { key: 'id', condition: 'received_at <= :before' },
  rate_windows: { key: 'key_id, minute', condition: 'minute <= :before' },
} as const;

export type ExpiringTable = keyof typeof EXPIRED;

/** Deletes at most `limit` rows of one slot that are older than `before` (wall time). Resolves to the merchant of each row. */
export async function deleteExpired(
  db: Database,
  table: ExpiringTable,
  slot: number,
  before: Date,
  limit: number,
): Promise<MerchantScope[]> {
  const { key, condition } = EXPIRED[table];
  const rows = await db.slotRows<{ merchant_id: string }>(
    slot,
    `delete from ${table} where {slot} and (merchant_id, ${key}) in (
       select merchant_id, ${key} from ${table} where {slot} and ${condition} limit :limit)
     returning merchant_id`,
    { before, limit },
  );
  return rows.map((row) => ({ slot, merchantId: row.merchant_id }));
}

/** Slots that have any merchant. */
export async function usedSlots(db: Database): Promise<number[]> {
  const rows = await db.anywhere<{ slot: number }>('select distinct slot from merchants');
  return rows.map((row) => row.slot);
}
