import type { MerchantScope } from '../../domain/scope.ts';
import type { Database } from '../engine/database.ts';

/**
 * Counts a lot of requests in a key's minute. Resolves to how many are counted now, this lot included. It is one statement,
 * so the lots of several processes do not overlap. It does not use the merchant's quota of connections: otherwise
 * statements that wait for a lock would keep the merchant's other requests from being counted.
 */
export async function takeRateLot(
  db: Database,
  scope: MerchantScope,
  window: { keyId: string; minute: Date; lot: number },
): Promise<number> {
  const [row] = await db.slotRows<{ used: number }>(
    scope.slot,
    `insert into rate_windows (slot, merchant_id, key_id, minute, used)
     values (:slot, :merchant_id, :key_id, :minute, :lot)
     on conflict (slot, merchant_id, key_id, minute) do update set used = rate_windows.used + excluded.used
     returning used`,
    { merchant_id: scope.merchantId, key_id: window.keyId, minute: window.minute, lot: window.lot },
  );
  return row!.used;
}
