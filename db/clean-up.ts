import type { Database } from './database.ts';

/** Rows that have had their time, by table: each is deleted in small batches, one slot at a time. */
const EXPIRED = {
  idempotency_keys: { key: 'key', condition: 'expires_at <= :before' },
  acquirer_notifications: { key: 'id', condition: 'received_at <= :before' },
  rate_windows: { key: 'key_id, minute', condition: 'minute <= :before' },
} as const;

export type ExpiringTable = keyof typeof EXPIRED;

/** Deletes at most `limit` rows of one slot that are older than `before` (wall time); resolves to how many. */
export async function deleteExpired(
  db: Database,
  table: ExpiringTable,
  slot: number,
  before: Date,
  limit: number,
): Promise<number> {
  const { key, condition } = EXPIRED[table];
  const rows = await db.slotRows<{ slot: number }>(
    slot,
    `delete from ${table} where {slot} and (merchant_id, ${key}) in (
       select merchant_id, ${key} from ${table} where {slot} and ${condition} limit :limit)
     returning slot`,
    { before, limit },
  );
  return rows.length;
}

/** Slots that have any merchant. */
export async function usedSlots(db: Database): Promise<number[]> {
  const rows = await db.anywhere<{ slot: number }>('select distinct slot from merchants');
  return rows.map((row) => row.slot);
}
