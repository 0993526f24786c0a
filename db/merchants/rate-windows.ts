import type { MerchantScope } from '../../domain/scope.ts';
import type { Database } from '../engine/database.ts';

/**
 * Counts a lot of requests in a key's minute. Resolves to how many are counted now, this lot included. It is one statement,
 * so the lots of several processes do not overlap.
 */
export async function takeRateLot(
  db: Database,
  scope: MerchantScope,
  window: { keyId: string; minute: Date; lot: number },
): Promise<number> {
  const row = await db.one<{ used: number }>(
    scope,
    `insert into rate_windows (slot, merchant_id, key_id, minute, used)
     values (:slot, :merchant_id, :key_id, :minute, :lot)
     on conflict (slot, merchant_id, key_id, minute) do update set used = rate_windows.used + excluded.used
     returning used`,
    { key_id: window.keyId, minute: window.minute, lot: window.lot },
  );
  return row.used;
}
