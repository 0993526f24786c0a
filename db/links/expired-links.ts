import type { MerchantScope } from '../../domain/scope.ts';
import type { Database } from '../engine/database.ts';

/**
 * Marks at most `limit` links of a slot that expired by `before`: a wall time, to which the offset of the merchant's
 * clock is added. Leaves out clocks that are being advanced, which can be behind, and rows that another transaction
 * holds. Returns the merchant of each marked link.
 */
export async function markExpiredLinks(
  db: Database,
  slot: number,
  { before, limit }: { readonly before: Date; readonly limit: number },
): Promise<MerchantScope[]> {
  // A `timestamptz` plus an interval depends on the session, which a distributed database refuses in an update.
  const rows = await db.slotRows<{ merchant_id: string }>(
    slot,
    `with expired as materialized (
       select due.* from merchants m
         left join merchant_clocks c on {slot:c} and c.merchant_id = m.merchant_id
        cross join lateral (
          select l.merchant_id, l.id from payment_links l
           where {slot:l} and l.merchant_id = m.merchant_id and l.state = 'active' and not l.is_expired
             and l.expires_at <= (cast(:before as timestamptz) at time zone 'UTC'
                                  + coalesce(c.offset_ms, 0) * interval '1 millisecond') at time zone 'UTC'
           order by l.expires_at limit :limit for no key update skip locked) due
        where {slot:m} and c.target is null limit :limit)
     update payment_links l set is_expired = true
       from expired where {slot:l} and l.merchant_id = expired.merchant_id and l.id = expired.id
     returning l.merchant_id`,
    { before, limit },
  );
  return rows.map((row) => ({ slot, merchantId: row.merchant_id }));
}
