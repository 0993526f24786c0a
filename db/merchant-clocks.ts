import type { MerchantScope } from '../domain/scope.ts';
import type { Database } from './database.ts';

/** Merchants whose clock was moved and is not being moved now. Sandbox only, so they are few. */
export async function listMovedClocks(db: Database): Promise<MerchantScope[]> {
  const rows = await db.anywhere<{ slot: number; merchant_id: string }>(
    'select slot, merchant_id from merchant_clocks where offset_ms > 0 and target is null',
  );
  return rows.map((row) => ({ slot: row.slot, merchantId: row.merchant_id }));
}
